import { useState } from 'react';
import { Link } from 'wouter';
import { useClient } from '../shared/client.tsx';
import { money, number } from '../shared/format.ts';
import { Badge, ButtonLink, EmptyState, Moment } from '../shared/ui/basics.tsx';
import { SelectField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { posterTexts } from '../texts/en/poster.ts';
import { useShop } from './shop.tsx';

const { consumers: texts } = portalTexts;
const { columns } = texts;

type Filter = keyof typeof texts.filters;
const FILTERS: readonly Filter[] = ['all', 'owes', 'unusual'];

/** Those who collect points in the shop, by the addresses that it may see. */
export default function ConsumersPage() {
  const client = useClient();
  const { tenantId, currency } = useShop();
  const [filter, setFilter] = useState<Filter>('all');
  const list = usePages(['consumers', tenantId, filter], () =>
    client.all.listConsumers({ tenantId, ...(filter !== 'all' && { [filter]: 'true' }) }),
  );
  return (
    <>
      <PageTitle action={<ButtonLink href="/poster">{posterTexts.open}</ButtonLink>}>
        {portalTexts.pages.consumers}
      </PageTitle>
      <SelectField
        label={texts.which}
        hint={filter === 'unusual' ? texts.unusualHint : undefined}
        value={filter}
        options={FILTERS.map((value) => ({ value, text: texts.filters[value] }))}
        onValue={setFilter}
      />
      <PagedTable
        list={list}
        empty={
          filter === 'all' ? (
            <EmptyState picture="customers" title={texts.empty} text={texts.emptyText} />
          ) : (
            texts.emptyFilter
          )
        }
        label={texts.list}
        keyOf={({ walletId }) => walletId}
        columns={[
          {
            title: columns.who,
            cell: ({ userId, email, phone, status }) => (
              <>
                <Link href={`/consumers/${userId}`}>{email ?? phone ?? texts.nobody}</Link>{' '}
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
        ]}
      />
    </>
  );
}
