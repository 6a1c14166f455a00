import { Link } from 'wouter';
import type { Schema } from '../shared/client.tsx';
import { number } from '../shared/format.ts';
import { Moment } from '../shared/ui/basics.tsx';
import { PagedItems } from '../shared/ui/lists.tsx';
import type { PagedList } from '../shared/use-pages.ts';
import { auditTexts as texts } from '../texts/audit.ts';

type Entry = Schema['AuditEntry'];
type Value = Entry['before'][string] | undefined;

/** Entries of the audit log: who did what and when, why, and what it changed. */
export function AuditList(props: { list: PagedList<Entry>; empty: string }) {
  return (
    <PagedItems list={props.list} empty={props.empty} label={texts.list}>
      {(entry) => <AuditEntry entry={entry} />}
    </PagedItems>
  );
}

function AuditEntry({ entry }: { entry: Entry }) {
  const { action, createdAt, reason, requestId } = entry;
  return (
    <article className="audit-entry">
      <div className="audit-head">
        <strong>{texts.actions[action]}</strong>
        <span className="muted">
          <Moment iso={createdAt} />
        </span>
      </div>
      <p>
        <Actor entry={entry} />
        <Target entry={entry} />
      </p>
      {reason !== null && <p>{texts.reason(reason)}</p>}
      <Changes entry={entry} />
      <p className="hint">{texts.request(requestId)}</p>
    </article>
  );
}

function Actor({ entry: { actorUserId, actorEmail } }: { entry: Entry }) {
  if (actorUserId === null) return texts.ops;
  return <Link href={`/people/${actorUserId}`}>{actorEmail ?? texts.somebody}</Link>;
}

function Target({ entry: { targetType, targetId, tenantId } }: { entry: Entry }) {
  const links = [
    targetType === 'wallet' && { href: `/wallets/${targetId}`, text: texts.targets.wallet },
    targetType === 'user' && { href: `/people/${targetId}`, text: texts.targets.user },
    tenantId !== null && { href: `/shops/${tenantId}`, text: texts.shop },
  ];
  return links.map(
    (link) =>
      link !== false && (
        <span key={link.href}>
          {' · '}
          <Link href={link.href}>{link.text}</Link>
        </span>
      ),
  );
}

function Changes({ entry: { before, after } }: { entry: Entry }) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => before[name] !== after[name]);
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
  if (value === null || value === undefined) return texts.nothing;
  return typeof value === 'number' ? number(value) : wordOf(texts.values, value);
}

/** The word for a name of the log, which may be newer than this app. */
function wordOf(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name;
}
