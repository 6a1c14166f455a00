import type { Schema } from '../shared/client.tsx';
import { money, number } from '../shared/format.ts';
import { Badge, Moment } from '../shared/ui/basics.tsx';
import type { Column } from '../shared/ui/lists.tsx';
import { customerTexts as texts } from '../texts/en/customers.ts';
import { PanelLink } from './panel-link.tsx';
import { useShop } from './shop.tsx';

const { columns } = texts;

/** The columns of customers: who they are, as far as the shop may see, and what they have. */
export function useCustomerColumns(): Column<Schema['Consumer']>[] {
  const { currency } = useShop();
  return [
    {
      title: columns.who,
      cell: ({ userId, email, phone, status }) => (
        <>
          <PanelLink shows="customer" id={userId}>
            {email ?? phone ?? texts.nobody}
          </PanelLink>{' '}
          {status === 'frozen' && <Badge kind="warn">{texts.status.frozen}</Badge>}
        </>
      ),
    },
    { title: columns.balance, cell: ({ balance }) => number(balance), isNumber: true },
    { title: columns.worth, cell: ({ balance }) => money(balance, currency), isNumber: true },
    {
      title: columns.last,
      cell: ({ lastActivityAt }) => (lastActivityAt ? <Moment iso={lastActivityAt} /> : '–'),
    },
  ];
}
