import type { ReactNode } from 'react';
import { auditTexts as texts } from '../../texts/en/audit.ts';
import type { Schema } from '../client.tsx';
import { moment, number } from '../format.ts';
import type { PagedList } from '../use-pages.ts';
import { Moment } from './basics.tsx';
import { PagedItems } from './lists.tsx';

type Entry = Schema['AuditEntry'];
type Value = Entry['before'][string] | undefined;

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Entries of the audit log: what was done, when and why, what it changed, and by whom. */
export function AuditList<Listed extends Entry>(props: {
  list: PagedList<Listed>;
  empty: string;
  /** Who did it, and to whom. */
  children(entry: Listed): ReactNode;
  /** Whether ids are shown, which only those who run the service need. */
  showsIds?: boolean;
}) {
  const { showsIds = false } = props;
  return (
    <PagedItems list={props.list} empty={props.empty} label={texts.list}>
      {(entry) => <AuditEntry entry={entry} people={props.children(entry)} showsIds={showsIds} />}
    </PagedItems>
  );
}

function AuditEntry(props: { entry: Entry; people: ReactNode; showsIds: boolean }) {
  const { entry, people, showsIds } = props;
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
      <Changes entry={entry} showsIds={showsIds} />
      {showsIds && <p className="hint">{texts.request(requestId)}</p>}
    </article>
  );
}

function Changes({ entry: { before, after }, showsIds }: { entry: Entry; showsIds: boolean }) {
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
              <del>{shown(before[name])}</del>
              {' → '}
            </>
          )}
          <ins>{shown(after[name])}</ins>
        </li>
      ))}
    </ul>
  );
}

function shown(value: Value): string {
  if (value === null || value === undefined || value === '') return texts.nothing;
  if (typeof value === 'number') return number(value);
  return MOMENT.test(value) ? moment(value) : wordOf(texts.values, value);
}

function isId(value: Value): boolean {
  return typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value);
}

/** The word for a name of the log, which may be newer than this app. */
function wordOf(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name;
}
