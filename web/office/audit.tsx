import { useClient } from '../shared/client.tsx';
import { keysOf } from '../shared/keys-of.ts';
import { periodOf } from '../shared/period.ts';
import { AuditList } from '../shared/ui/audit-list.tsx';
import { CsvButton } from '../shared/ui/csv.tsx';
import { SelectField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { ClocksNote, PeriodFields } from '../shared/ui/period.tsx';
import { type Filters, useFilters } from '../shared/use-filters.ts';
import { usePages } from '../shared/use-pages.ts';
import { auditTexts as texts } from '../texts/en/audit.ts';
import { officeTexts } from '../texts/en/office.ts';
import { ActorAndTarget, targetOf } from './audit-people.tsx';
import { Chosen, PersonFilter } from './person-filter.tsx';

const ALL = '';
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const ACTIONS = keysOf(texts.actions);

/** Who did what to whom, the newest first; the filters are in the page's address. */
export default function AuditPage() {
  const client = useClient();
  const filters = useFilters();
  const target = filters.text('target', ID);
  const request = filters.text('request');
  const query = queryOf(filters);
  const list = usePages(['audit', query], () => client.all.listAuditLogs(query));
  const [first] = list.items ?? [];
  return (
    <>
      <PageTitle>{officeTexts.pages.audit}</PageTitle>
      <FilterFields filters={filters} />
      {target !== '' && (
        <Chosen
          label={texts.target}
          text={first === undefined ? target : targetOf(first)}
          onClear={() => filters.put({ target: '' })}
        />
      )}
      {request !== '' && (
        <Chosen
          label={texts.ofRequest}
          text={request}
          onClear={() => filters.put({ request: '' })}
        />
      )}
      <CsvButton
        name="audit"
        get={({ query: form, ...asked }) =>
          client.http.GET('/api/v1/admin/audit-logs', {
            params: { query: { ...query, ...form } },
            ...asked,
          })
        }
      />
      <AuditList
        list={list}
        empty={texts.empty}
        currencyOf={({ tenantCurrency }) => tenantCurrency}
        showsIds
      >
        {(entry) => <ActorAndTarget entry={entry} />}
      </AuditList>
      <ClocksNote />
    </>
  );
}

function FilterFields({ filters }: { filters: Filters }) {
  return (
    <search className="filters" aria-label={texts.filters}>
      <PersonFilter
        label={texts.actor}
        userId={filters.text('actor', ID)}
        onUser={(actor) => filters.put({ actor })}
      />
      <PersonFilter
        label={texts.target}
        userId={filters.text('targetUser', ID)}
        onUser={(targetUser) => filters.put({ targetUser })}
      />
      <SelectField
        label={texts.action}
        value={filters.choice('action', ACTIONS) ?? ALL}
        options={[
          { value: ALL, text: texts.anything },
          ...ACTIONS.map((value) => ({ value, text: texts.actions[value] })),
        ]}
        onValue={(action) => filters.put({ action })}
      />
      <PeriodFields period={filters.period('all')} filters={filters} />
    </search>
  );
}

/** What the service is asked for: only what is whole, and can be understood. */
function queryOf(filters: Filters) {
  const action = filters.choice('action', ACTIONS);
  const actor = filters.text('actor', ID);
  const targetUser = filters.text('targetUser', ID);
  const target = filters.text('target', ID);
  const request = filters.text('request');
  return {
    ...(action !== undefined && { action }),
    ...(actor !== '' && { actor }),
    ...(targetUser !== '' && { targetUser }),
    ...(target !== '' && { target }),
    ...(request !== '' && { request }),
    ...periodOf(filters.period('all').days),
  };
}
