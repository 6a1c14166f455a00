import { useClient } from '../shared/client.tsx';
import { periodOf } from '../shared/period.ts';
import { ButtonLink, EmptyState } from '../shared/ui/basics.tsx';
import { CsvButton } from '../shared/ui/csv.tsx';
import { SelectField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { News, PagedTable } from '../shared/ui/lists.tsx';
import { ClocksNote, PeriodFields } from '../shared/ui/period.tsx';
import { useFilters } from '../shared/use-filters.ts';
import { useLivePages } from '../shared/use-pages.ts';
import { codeTexts as texts } from '../texts/en/codes.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { saleTexts } from '../texts/en/sales.ts';
import { CODES_OF_ALL } from './code-columns.tsx';
import { useShop } from './shop.tsx';
import { TotalsOfCodes } from './totals.tsx';

const ALL = 'all';
const STATUSES = ['issued', 'used', 'expired'] as const;

/** Every code for the shop: open, used, expired or cancelled. */
export default function CodesPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const filters = useFilters();
  const status = filters.choice('status', STATUSES);
  const period = filters.period('all');
  const query = { ...(status !== undefined && { status }), ...periodOf(period.days) };
  const list = useLivePages(['codes', tenantId, query], () =>
    client.all.listTenantRedemptions({ tenantId, ...query }),
  );
  return (
    <>
      <PageTitle action={<ButtonLink href="/day">{texts.day}</ButtonLink>}>
        {portalTexts.pages.codes}
      </PageTitle>
      <search className="filters" aria-label={saleTexts.filters}>
        <SelectField
          label={texts.filter}
          value={status ?? ALL}
          options={[
            { value: ALL, text: texts.all },
            ...STATUSES.map((value) => ({ value, text: texts.status[value] })),
          ]}
          onValue={(value) => filters.put({ status: value === ALL ? '' : value })}
        />
        <PeriodFields period={period} filters={filters} />
      </search>
      <CsvButton
        name="codes"
        get={({ query: form, ...asked }) =>
          client.http.GET('/api/v1/client/tenants/{tenantId}/redemptions', {
            params: { path: { tenantId }, query: { ...query, ...form } },
            ...asked,
          })
        }
      >
        <News list={list} />
      </CsvButton>
      <TotalsOfCodes list={list} query={query} />
      <PagedTable
        list={list}
        empty={
          Object.keys(query).length === 0 ? (
            <EmptyState picture="codes" title={texts.empty} text={texts.emptyText} />
          ) : (
            texts.emptyFilter
          )
        }
        label={texts.list}
        keyOf={({ id }) => id}
        columns={CODES_OF_ALL}
      />
      <ClocksNote />
    </>
  );
}
