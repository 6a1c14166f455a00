import { useSearchParams } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { periodOf } from '../shared/period.ts';
import { AuditList } from '../shared/ui/audit-list.tsx';
import { SelectField, TextField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { usePages } from '../shared/use-pages.ts';
import { auditTexts as texts } from '../texts/en/audit.ts';
import { officeTexts } from '../texts/en/office.ts';
import { ActorAndTarget, targetOf } from './audit-people.tsx';
import { Chosen, PersonFilter } from './person-filter.tsx';

type Action = Schema['AuditEntry']['action'];
type Filters = Record<(typeof NAMES)[number], string>;
const NAMES = ['action', 'actor', 'targetUser', 'target', 'request', 'from', 'to'] as const;
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const ACTIONS = Object.entries(texts.actions);

/** Who did what to whom, the newest first; the filters are in the page's address. */
export default function AuditPage() {
  const client = useClient();
  const [params, setParams] = useSearchParams();
  const asked = (name: keyof Filters) => params.get(name) ?? '';
  const filters: Filters = {
    action: asked('action'),
    actor: asked('actor'),
    targetUser: asked('targetUser'),
    target: asked('target'),
    request: asked('request'),
    from: asked('from'),
    to: asked('to'),
  };
  const query = queryOf(filters);
  const list = usePages(['audit', query], () => client.all.listAuditLogs(query));
  const change = (name: keyof Filters, value: string) => {
    const named = NAMES.map((one) => [one, one === name ? value : filters[one]]);
    setParams(Object.fromEntries(named.filter(([, text]) => text !== '')), { replace: true });
  };
  const [first] = list.items ?? [];
  return (
    <>
      <PageTitle>{officeTexts.pages.audit}</PageTitle>
      <FilterFields filters={filters} onChange={change} />
      {filters.target !== '' && (
        <Chosen
          label={texts.target}
          text={first === undefined ? filters.target : targetOf(first)}
          onClear={() => change('target', '')}
        />
      )}
      {filters.request !== '' && (
        <Chosen
          label={texts.ofRequest}
          text={filters.request}
          onClear={() => change('request', '')}
        />
      )}
      <AuditList list={list} empty={texts.empty} showsIds>
        {(entry) => <ActorAndTarget entry={entry} />}
      </AuditList>
    </>
  );
}

function FilterFields(props: {
  filters: Filters;
  onChange(name: keyof Filters, value: string): void;
}) {
  const { filters, onChange } = props;
  const dateProps = (name: 'from' | 'to') => ({
    label: texts[name],
    type: 'date',
    value: filters[name],
    onText: (text: string) => onChange(name, text),
  });
  return (
    <search className="filters" aria-label={texts.filters}>
      <PersonFilter
        label={texts.actor}
        userId={filters.actor}
        onUser={(userId) => onChange('actor', userId)}
      />
      <PersonFilter
        label={texts.target}
        userId={filters.targetUser}
        onUser={(userId) => onChange('targetUser', userId)}
      />
      <SelectField
        label={texts.action}
        value={filters.action}
        options={[
          { value: '', text: texts.anything },
          ...ACTIONS.map(([value, text]) => ({ value, text })),
        ]}
        onValue={(action) => onChange('action', action)}
      />
      <TextField {...dateProps('from')} />
      <TextField {...dateProps('to')} />
    </search>
  );
}

/** What the service is asked for: only what is whole, and can be understood. */
function queryOf({ action, actor, targetUser, target, request, from, to }: Filters) {
  return {
    ...(isAction(action) && { action }),
    ...(ID.test(actor) && { actor }),
    ...(ID.test(targetUser) && { targetUser }),
    ...(ID.test(target) && { target }),
    ...(request !== '' && { request }),
    ...periodOf({ from, to }),
  };
}

function isAction(text: string): text is Action {
  return text in texts.actions;
}
