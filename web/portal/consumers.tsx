import { Link } from 'wouter';
import { useClient } from '../shared/client.tsx';
import { number } from '../shared/format.ts';
import { Badge, Moment } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { portalTexts } from '../texts/portal.ts';
import { useShop } from './shop.tsx';

const { consumers: texts } = portalTexts;
const { columns } = texts;

/** Those who collect points in the shop, by the addresses that it may see. */
export default function ConsumersPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const list = usePages(['consumers', tenantId], () => client.all.listConsumers({ tenantId }));
  return (
    <>
      <PageTitle>{portalTexts.pages.consumers}</PageTitle>
      <PagedTable
        list={list}
        empty={texts.empty}
        label={texts.list}
        keyOf={({ walletId }) => walletId}
        columns={[
          {
            title: columns.who,
            cell: ({ userId, email, phone }) => (
              <Link href={`/consumers/${userId}`}>{email ?? phone ?? texts.nobody}</Link>
            ),
          },
          { title: columns.balance, cell: ({ balance }) => number(balance), isNumber: true },
          {
            title: columns.status,
            cell: ({ status }) => (
              <Badge kind={status === 'active' ? 'good' : 'warn'}>{texts.status[status]}</Badge>
            ),
          },
          {
            title: columns.last,
            cell: ({ lastActivityAt }) => (lastActivityAt ? <Moment iso={lastActivityAt} /> : '–'),
          },
        ]}
      />
    </>
  );
}
