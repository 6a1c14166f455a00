import { useSearchParams } from 'wouter';
import { LoyaltyError } from '../../sdk/index.ts';
import { useClient } from '../shared/client.tsx';
import { keysOf } from '../shared/keys-of.ts';
import { periodOf } from '../shared/period.ts';
import { save } from '../shared/save.ts';
import { Button, CommandNotice } from '../shared/ui/basics.tsx';
import { SelectField, TextField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { ClocksNote, type Period, PeriodFields, periodIn } from './period.tsx';
import { useShop } from './shop.tsx';
import { type Transaction, useTransactionColumns } from './transaction-table.tsx';

const { transactions: texts } = portalTexts;
const ALL = 'all';

type Filters = { outcome: Transaction['outcome'] | typeof ALL; period: Period; q: string };

const FILTER_TEXTS = { ...texts.outcomes, credited: texts.known };
const OUTCOMES = keysOf(FILTER_TEXTS);

/** The filters, which stay in the address. */
function filtersIn(search: URLSearchParams): Filters {
  const asked = search.get('outcome');
  return {
    outcome: OUTCOMES.find((one) => one === asked) ?? ALL,
    period: periodIn(search, 'all'),
    q: search.get('q') ?? '',
  };
}

/** Every sale that the shop's points of sale reported, with what became of it and why. */
export default function TransactionsPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const [search] = useSearchParams();
  const filters = filtersIn(search);
  const query = queryOf(filters);
  const list = usePages(['transactions', tenantId, query], () =>
    client.all.listTransactions({ tenantId, ...query }),
  );
  const { columns, dialog } = useTransactionColumns();
  return (
    <>
      <PageTitle>{portalTexts.pages.transactions}</PageTitle>
      <FilterFields filters={filters} />
      <Csv filters={filters} />
      <PagedTable
        list={list}
        empty={texts.empty}
        label={texts.list}
        keyOf={({ id }) => id}
        columns={columns}
      />
      <ClocksNote />
      {dialog}
    </>
  );
}

function FilterFields({ filters }: { filters: Filters }) {
  const [, setSearch] = useSearchParams();
  const put = (key: string, value: string) =>
    setSearch(
      (search) => {
        if (value === '') search.delete(key);
        else search.set(key, value);
        return search;
      },
      { replace: true },
    );
  return (
    <search className="filters" aria-label={texts.filters}>
      <SelectField
        label={texts.outcome}
        value={filters.outcome}
        options={[
          { value: ALL, text: texts.all },
          ...OUTCOMES.map((value) => ({ value, text: FILTER_TEXTS[value] })),
        ]}
        onValue={(outcome) => put('outcome', outcome === ALL ? '' : outcome)}
      />
      <PeriodFields period={filters.period} />
      <TextField label={texts.id} value={filters.q} onText={(q) => put('q', q)} />
    </search>
  );
}

function queryOf({ outcome, period, q }: Filters) {
  return {
    ...(outcome !== ALL && { outcome }),
    ...periodOf(period.days),
    ...(q.trim() !== '' && { q: q.trim() }),
  };
}

function Csv({ filters }: { filters: Filters }) {
  const client = useClient();
  const { tenantId } = useShop();
  const download = useSubmit({
    send: async (chosen: Filters, { signal }) => {
      const { data, response } = await client.http.GET(
        '/api/v1/client/tenants/{tenantId}/transactions',
        {
          params: { path: { tenantId }, query: queryOf(chosen) },
          headers: { accept: 'text/csv' },
          parseAs: 'text',
          signal,
        },
      );
      if (typeof data === 'string') return data;
      const code = response.status === 429 ? 'RATE_LIMITED' : 'UNEXPECTED_ANSWER';
      throw new LoyaltyError(response.statusText, { status: response.status, code });
    },
    changes: [],
    onDone: (text) => save(texts.csvName, new Blob([text], { type: 'text/csv' })),
  });
  return (
    <div className="button-row">
      <Button isRunning={download.isRunning} onClick={() => download.submit(filters)}>
        {texts.csv}
      </Button>
      <CommandNotice command={download} />
    </div>
  );
}
