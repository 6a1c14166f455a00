import type { ReactNode } from 'react';
import { auditTexts as texts } from '../../texts/en/audit.ts';
import { auditValue, wordOf } from '../audit-value.ts';
import type { Schema } from '../client.tsx';
import type { PagedList } from '../use-pages.ts';
import { Moment } from './basics.tsx';
import { PagedItems } from './lists.tsx';

type Entry = Schema['AuditEntry'];
type Value = Entry['before'][string] | undefined;

/** Entries of the audit log: what was done, when and why, what it changed, and by whom. */
export function AuditList<Listed extends Entry>(props: {
  list: PagedList<Listed>;
  empty: string;
  /** Who did it, and to whom. */
  children(entry: Listed): ReactNode;
  /** In which its amounts are: that of its shop. */
  currencyOf(entry: Listed): string | null;
  /** Whether ids are shown, which only those who run the service need. */
  showsIds?: boolean;
}) {
  const { showsIds = false } = props;
  return (
    <PagedItems list={props.list} empty={props.empty} label={texts.list}>
      {(entry) => (
        <AuditEntry
          entry={entry}
          people={props.children(entry)}
          currency={props.currencyOf(entry)}
          showsIds={showsIds}
        />
      )}
    </PagedItems>
  );
}

type Shown = { entry: Entry; currency: string | null; showsIds: boolean };

function AuditEntry({ people, ...props }: Shown & { people: ReactNode }) {
  const { entry, showsIds } = props;
  const { action, createdAt, reason, requestId } = entry;
  return (
    <article className="audit-entry">
      <div className="audit-head">
        <strong>{texts.actions[action]}</strong>
        <span className="muted">
          <Moment iso={createdAt} />
        </span>
      </div>
      <p>{people}</p>
      {reason !== null && <p>{texts.reason(reason)}</p>}
      <Changes {...props} />
      {showsIds && <p className="hint">{texts.request(requestId)}</p>}
    </article>
  );
}

function Changes({ entry: { before, after }, currency, showsIds }: Shown) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter(
    (name) => before[name] !== after[name] && (showsIds || !isId(after[name] ?? before[name])),
  );
  if (changed.length === 0) return null;
  return (
    <ul className="changes" aria-label={texts.changes}>
      {changed.map((name) => (
        <li key={name}>
          {wordOf(texts.fields, name)}:{' '}
          {before[name] !== undefined && (
            <>
              <del>{auditValue(name, before[name], currency)}</del>
              {' → '}
            </>
          )}
          <ins>{auditValue(name, after[name], currency)}</ins>
        </li>
      ))}
    </ul>
  );
}

function isId(value: Value): boolean {
  return typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}
