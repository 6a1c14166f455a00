import type { UserId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';

/** A user whose contacts changed since they were last compared with anonymous payments. */
export type ContactChange = {
  id: UserId;
  /** Verified ones only, normalised as stored; null for a role that cannot hold a wallet. */
  email: string | null;
  phone: string | null;
  changedAt: string;
};

/** What to set of a user whose contacts are to be compared, because they, or the role, changed. */
export function toCompare(db: Db) {
  return { contactsChangedAt: db.fn.now(), contactsDueAt: null, contactsAttempts: 0 };
}

/** Longer than any transaction takes that stores a payment. */
const LATE_MINUTES = 10;

/**
 * Lists users with contacts to compare that are due, the longest due first. Leaves out those whose
 * contacts are older than every payment that waits for a consumer: such a payment was decided with
 * the user in view.
 */
export async function list(db: Db, limit: number): Promise<ContactChange[]> {
  const { rows } = await db.raw<{ rows: ContactChange[] }>(
    `select id,
       case when email_verified and role in ('consumer', 'pos_operator') then email end as email,
       case when phone_verified and role in ('consumer', 'pos_operator') then phone end as phone,
       contacts_changed_at::text as changed_at
     from users
     where contacts_changed_at is not null
       and coalesce(contacts_due_at, contacts_changed_at) <= now()
       and coalesce(contacts_due_at, contacts_changed_at) >= (
         select min(created_at) - make_interval(mins => :late) from payments
         where email_fingerprint is not null or phone_fingerprint is not null)
     order by coalesce(contacts_due_at, contacts_changed_at) limit :limit`,
    { limit, late: LATE_MINUTES },
  );
  return rows;
}

/** Returns those of the fingerprints, in hex, that an anonymous payment carries. */
export async function findAwaited(
  db: Db,
  fingerprints: readonly Buffer[],
): Promise<ReadonlySet<string>> {
  if (fingerprints.length === 0) return new Set();
  const { rows } = await db.raw<{ rows: { hex: string }[] }>(
    `select encode(f.fingerprint, 'hex') as hex from unnest(:fingerprints::bytea[]) f (fingerprint)
     where exists (select from payments where outcome = 'stored_anonymous'
         and email_fingerprint = f.fingerprint)
       or exists (select from payments where outcome = 'stored_anonymous'
         and phone_fingerprint = f.fingerprint)`,
    { fingerprints: [...fingerprints] },
  );
  return new Set(rows.map(({ hex }) => hex));
}

/** Takes users off the list, except those whose contacts have changed again since. */
export async function markCompared(db: Db, changes: readonly ContactChange[]): Promise<void> {
  await db.raw(
    `update users u
     set contacts_changed_at = null, contacts_due_at = null, contacts_attempts = 0
     from unnest(:ids::uuid[], :changes::timestamptz[]) as n(id, changed_at)
     where u.id = n.id and u.contacts_changed_at = n.changed_at`,
    {
      ids: changes.map((change) => change.id),
      changes: changes.map((change) => change.changedAt),
    },
  );
}

/** Moves a user to the end of the list: there is more to compare, after the others. */
export async function requeue(db: Db, { id, changedAt }: ContactChange): Promise<void> {
  await db.raw(
    `update users set contacts_due_at = now()
     where id = :id and contacts_changed_at = :changedAt::timestamptz`,
    { id, changedAt },
  );
}

/** Lists a user again after a while: a minute, twice as long each time, at most six hours. */
export async function backOff(db: Db, { id, changedAt }: ContactChange): Promise<void> {
  await db.raw(
    `update users
     set contacts_attempts = contacts_attempts + 1,
       contacts_due_at = now()
         + least(interval '1 minute' * power(2, least(contacts_attempts, 9)), interval '6 hours')
     where id = :id and contacts_changed_at = :changedAt::timestamptz`,
    { id, changedAt },
  );
}
