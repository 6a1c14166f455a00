import { useClient } from '../shared/client.tsx';
import { keysOf } from '../shared/keys-of.ts';
import { type Period, periodOf } from '../shared/period.ts';
import { CsvButton } from '../shared/ui/csv.tsx';
import { SelectField, TextField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { News, PagedTable } from '../shared/ui/lists.tsx';
import { ClocksNote, PeriodFields } from '../shared/ui/period.tsx';
import { useFilters } from '../shared/use-filters.ts';
import { useLivePages } from '../shared/use-pages.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { saleTexts } from '../texts/en/sales.ts';
import { useShop } from './shop.tsx';
import { TotalsOfSales } from './totals.tsx';
import { TRANSACTION_COLUMNS, type Transaction } from './transaction-table.tsx';

const texts = saleTexts;
const ALL = 'all';

const FILTER_TEXTS = { ...texts.outcomes, credited: texts.known };
const OUTCOMES = keysOf(FILTER_TEXTS);

type Chosen = { outcome: Transaction['outcome'] | undefined; period: Period; q: string };

/** Every sale that the shop's points of sale reported, with what became of it and why. */
export default function TransactionsPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const filters = useFilters();
  const chosen = {
    outcome: filters.choice('outcome', OUTCOMES),
    period: filters.period('all'),
    q: filters.text('q'),
  };
  const query = queryOf(chosen);
  const list = useLivePages(['transactions', tenantId, query], () =>
    client.all.listTransactions({ tenantId, ...query }),
  );
  return (
    <>
      <PageTitle>{portalTexts.pages.transactions}</PageTitle>
      <search className="filters" aria-label={texts.filters}>
        <SelectField
          label={texts.outcome}
          value={chosen.outcome ?? ALL}
          options={[
            { value: ALL, text: texts.all },
            ...OUTCOMES.map((value) => ({ value, text: FILTER_TEXTS[value] })),
          ]}
          onValue={(outcome) => filters.put({ outcome: outcome === ALL ? '' : outcome })}
        />
        <PeriodFields period={chosen.period} filters={filters} />
        <TextField label={texts.id} value={chosen.q} onText={(q) => filters.put({ q })} />
      </search>
      <CsvButton
        name="transactions"
        get={({ query: form, ...asked }) =>
          client.http.GET('/api/v1/client/tenants/{tenantId}/transactions', {
            params: { path: { tenantId }, query: { ...query, ...form } },
            ...asked,
          })
        }
      >
        <News list={list} />
      </CsvButton>
      <TotalsOfSales list={list} query={query} />
      <PagedTable
        list={list}
        empty={texts.empty}
        label={texts.list}
        keyOf={({ id }) => id}
        columns={TRANSACTION_COLUMNS}
      />
      <ClocksNote />
    </>
  );
}

function queryOf({ outcome, period, q }: Chosen) {
  return {
    ...(outcome !== undefined && { outcome }),
    ...periodOf(period.days),
    ...(q.trim() !== '' && { q: q.trim() }),
  };
}
