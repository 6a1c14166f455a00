import type {
  ConnectionId,
  EndpointId,
  GoodwillId,
  ImportId,
  RedemptionId,
  TenantId,
  UserId,
  WalletId,
} from '../domain/ids.ts';
import type { AuditEntryId } from './audit-log.ts';
import type { Db } from './connection.ts';
import { one } from './one.ts';

// What is left to be done later, each by a row that names its kind and its subject. The row is
// written in the transaction that makes the work due, by a trigger or by `note`, and deleted once
// the work is done. So no work is lost, whatever is killed.

/** Whose work each kind is about. */
type Subjects = {
  /** Decides again about sales of a tenant that was suspended. */
  decide_again: TenantId;
  /** Compares phones of a tenant's sales whose country was not known with those of users. */
  match_phones: TenantId;
  /** Compares the contacts of a user with anonymous payments. */
  match_signup: UserId;
  /** Tells the phones of a wallet's owner of points that came. */
  push_points: WalletId;
  /** Tells the phones of whose code was used. */
  push_used_code: RedemptionId;
  /** Reads the name, the currency and the country of a connection's account. */
  read_account: ConnectionId;
  /** Tells the owners of a tenant once more of a connection that is still lost. */
  remind_of_loss: AuditEntryId;
  /** Revokes the authorizations of the accounts that a connection has left. */
  revoke_authorization: ConnectionId;
  /** Credits the rows of an import that was approved, or takes back one that is reverted. */
  run_import: ImportId;
  /** Tells the owners of a tenant, or the administrators, of a change. */
  tell_of_change: AuditEntryId;
  /** Tells the owners of a tenant that an endpoint was disabled. */
  tell_of_endpoint: EndpointId;
  /** Tells the owners of a tenant that webhooks of a connection are missed. */
  tell_of_gap: ConnectionId;
  /** Tells the owners of a tenant what became of an import. */
  tell_of_import: ImportId;
  /** Tells the owner of a wallet of points that came. */
  tell_of_points: WalletId;
  /** Tells the owners of a tenant that movements of its consumers are unusual. */
  tell_of_unusual: TenantId;
  /** Tells the administrators of somebody who applied, or who asked for points for a customer. */
  tell_of_waiting: UserId | GoodwillId;
  /** Tells the owners of a tenant each Monday what the week was like. */
  tell_of_week: TenantId;
  /** Makes a connection's poll Schedule as it should be. */
  update_poll_schedule: ConnectionId;
};
export const DUE_KINDS = [
  'decide_again',
  'match_phones',
  'match_signup',
  'push_points',
  'push_used_code',
  'read_account',
  'remind_of_loss',
  'revoke_authorization',
  'run_import',
  'tell_of_change',
  'tell_of_endpoint',
  'tell_of_gap',
  'tell_of_import',
  'tell_of_points',
  'tell_of_unusual',
  'tell_of_waiting',
  'tell_of_week',
  'update_poll_schedule',
] as const satisfies readonly (keyof Subjects)[];
export type DueKind = (typeof DUE_KINDS)[number];

/** Work that a caller has taken: for two minutes nobody else takes it. */
export type DueItem<Kind extends DueKind = DueKind> = {
  id: Subjects[Kind];
  /** When it was noted last. As text: a Date has no microseconds. */
  changedAt: string;
  /** How far it has come, for work of more than one turn; null at its beginning. */
  position: string | null;
};

/** For how long work is taken: far longer than one call to a provider or a mail server takes. */
export const LEASE_SECONDS = 120;
const FREE = 'due_at <= now() and (taken_until is null or taken_until <= now())';

/** Notes work that is due at once, also where it was put off or is under way. */
export async function note<Kind extends DueKind>(
  db: Db,
  kind: Kind,
  ids: readonly Subjects[Kind][],
): Promise<void> {
  await db.raw(noteAll(kind, 'select unnest(:ids::uuid[])'), { ids: [...ids] });
}

/** Notes work unless it is noted already. */
export async function noteIfMissing<Kind extends DueKind>(
  db: Db,
  kind: Kind,
  ids: readonly Subjects[Kind][],
): Promise<void> {
  await db.raw(
    `insert into due_work (kind, subject_id) select :kind, unnest(:ids::uuid[])
     on conflict (kind, subject_id) do nothing`,
    { kind, ids: [...ids] },
  );
}

/** Returns a statement that notes work about the subjects whose ids a query gives. */
export const noteAll = (kind: DueKind, subjects: string) => `
  insert into due_work (kind, subject_id)
  select '${kind}', id from (${subjects}) as subject (id) order by id
  on conflict (kind, subject_id) do update
    set changed_at = excluded.changed_at, due_at = excluded.due_at, attempts = 0, position = null`;

/** Whether work about a subject is noted: due, put off or under way. */
export async function isNoted<Kind extends DueKind>(
  db: Db,
  kind: Kind,
  id: Subjects[Kind],
): Promise<boolean> {
  const row = await db('due_work').where({ kind, subjectId: id }).first('kind');
  return row !== undefined;
}

/** Takes up to `limit` pieces of work that are due, the longest due first. */
export async function take<Kind extends DueKind>(
  db: Db,
  kind: Kind,
  limit: number,
): Promise<DueItem<Kind>[]> {
  const { rows } = await db.raw<{ rows: DueItem<Kind>[] }>(
    `update due_work d
     set taken_until = now() + make_interval(secs => ${LEASE_SECONDS}), attempts = attempts + 1
     from (
       select subject_id from due_work where kind = :kind and ${FREE}
       order by due_at limit :limit for no key update skip locked
     ) free
     where d.kind = :kind and d.subject_id = free.subject_id
     returning d.subject_id as id, d.changed_at::text, d.position`,
    { kind, limit },
  );
  return rows;
}

/** Deletes work that was done. What was noted again since then is due at once. */
export async function finish<Kind extends DueKind>(
  db: Db,
  kind: Kind,
  items: readonly DueItem<Kind>[],
): Promise<void> {
  if (items.length === 0) return;
  await db.raw(
    `with done (id, changed_at) as (
       select * from unnest(:ids::uuid[], :changes::timestamptz[])
     ),
     gone as (
       delete from due_work d using done
       where d.kind = :kind and d.subject_id = done.id and d.changed_at = done.changed_at
     )
     update due_work d set taken_until = null from done
     where d.kind = :kind and d.subject_id = done.id and d.changed_at <> done.changed_at`,
    { kind, ids: items.map(({ id }) => id), changes: items.map((item) => item.changedAt) },
  );
}

/** Gives work back that was not begun, or that has more to do: it is due after the other work. */
export async function giveBack<Kind extends DueKind>(
  db: Db,
  kind: Kind,
  items: readonly DueItem<Kind>[],
): Promise<void> {
  await db.raw(
    `update due_work set taken_until = null, due_at = now(), attempts = attempts - 1
     where kind = :kind and subject_id = any(:ids::uuid[])`,
    { kind, ids: items.map(({ id }) => id) },
  );
}

/** Stores how far work has come, for its next turn; work that was noted again starts over. */
export async function keepPosition<Kind extends DueKind>(
  db: Db,
  kind: Kind,
  { id, changedAt, position }: DueItem<Kind>,
): Promise<void> {
  await db('due_work').where({ kind, subjectId: id, changedAt }).update({ position });
}

/** How long work waits after its first failure; twice as long after each, at most the longest. */
export type BackOff = { firstSeconds: number; longestSeconds: number };

/** Puts work off that failed. What was noted again since then is due at once. */
export async function putOff<Kind extends DueKind>(
  db: Db,
  kind: Kind,
  { item, backOff }: { item: DueItem<Kind>; backOff: BackOff },
): Promise<void> {
  await db.raw(
    `update due_work
     set taken_until = null,
       due_at = case when changed_at = :changedAt::timestamptz
         then now() + make_interval(secs =>
           least(:longestSeconds, :firstSeconds * power(2, least(attempts, 20) - 1)))
         else due_at end
     where kind = :kind and subject_id = :id`,
    { kind, ...item, ...backOff },
  );
}

/** Whether any work is due that nobody has taken. */
export async function isAnyDue(db: Db): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { isDue: boolean }[] }>(
    `select exists (
       select from unnest(:kinds::text[]) as k (kind)
       where exists (select from due_work d where d.kind = k.kind and ${FREE})
     ) as is_due`,
    { kinds: [...DUE_KINDS] },
  );
  return rows[0]?.isDue ?? false;
}

/** Says for how many seconds the longest due work of each kind has been due; 0 without any. */
export async function overdue(db: Db): Promise<Record<DueKind, number>> {
  const { rows } = await db.raw<{ rows: { seconds: Record<DueKind, number> }[] }>(
    `select jsonb_object_agg(kind, seconds) as seconds
     from (
       select k.kind, coalesce(extract(epoch from now() - min(d.due_at)), 0)::float8 as seconds
       from unnest(:kinds::text[]) as k (kind)
       left join due_work d on d.kind = k.kind and d.due_at <= now()
       group by k.kind
     ) of_each`,
    { kinds: [...DUE_KINDS] },
  );
  return one(rows, 'row of figures').seconds;
}
