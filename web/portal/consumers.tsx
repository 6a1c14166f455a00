import { useClient } from '../shared/client.tsx';
import { ButtonLink, EmptyState } from '../shared/ui/basics.tsx';
import { CsvButton } from '../shared/ui/csv.tsx';
import { SelectField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { useFilters } from '../shared/use-filters.ts';
import { usePages } from '../shared/use-pages.ts';
import { customerTexts as texts } from '../texts/en/customers.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { posterTexts } from '../texts/en/poster.ts';
import { useCustomerColumns } from './customer-columns.tsx';
import { GoodwillList } from './goodwill.tsx';
import { ShopSearch, useShopSearch } from './search.tsx';
import { useShop } from './shop.tsx';
import { TotalsOfCustomers } from './totals.tsx';

type Filter = keyof typeof texts.filters;
const FILTERS: readonly Filter[] = ['all', 'owes', 'unusual'];

/** Those who collect points in the shop, by the addresses that it may see. */
export default function ConsumersPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const columns = useCustomerColumns();
  const search = useShopSearch();
  const filters = useFilters();
  const filter = filters.choice('which', FILTERS) ?? 'all';
  const query = filter === 'all' ? {} : { [filter]: 'true' as const };
  const list = usePages(['consumers', tenantId, filter], () =>
    client.all.listConsumers({ tenantId, ...query }),
  );
  return (
    <>
      <PageTitle action={<ButtonLink href="/poster">{posterTexts.open}</ButtonLink>}>
        {portalTexts.pages.consumers}
      </PageTitle>
      <ShopSearch search={search}>
        <SelectField
          label={texts.which}
          hint={filter === 'unusual' ? texts.unusualHint : undefined}
          value={filter}
          options={FILTERS.map((value) => ({ value, text: texts.filters[value] }))}
          onValue={(which) => filters.put({ which: which === 'all' ? '' : which })}
        />
        <CsvButton
          name="customers"
          get={({ query: form, ...asked }) =>
            client.http.GET('/api/v1/client/tenants/{tenantId}/consumers', {
              params: { path: { tenantId }, query: { ...query, ...form } },
              ...asked,
            })
          }
        />
        <TotalsOfCustomers list={list} query={query} />
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
          columns={columns}
        />
        <GoodwillList />
      </ShopSearch>
    </>
  );
}
