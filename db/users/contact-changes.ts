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

/** Lists users with contacts to compare, oldest change first. */
export async function list(db: Db, limit: number): Promise<ContactChange[]> {
  const { rows } = await db.raw<{ rows: ContactChange[] }>(
    `select id,
       case when email_verified and role in ('consumer', 'pos_operator') then email end as email,
       case when phone_verified and role in ('consumer', 'pos_operator') then phone end as phone,
       contacts_changed_at::text as changed_at
     from users where contacts_changed_at is not null
     order by contacts_changed_at limit :limit`,
    { limit },
  );
  return rows;
}

/** Takes users off the list, except those whose contacts have changed again since. */
export async function markCompared(db: Db, changes: readonly ContactChange[]): Promise<void> {
  await db.raw(
    `update users u set contacts_changed_at = null
     from unnest(:ids::uuid[], :changes::timestamptz[]) as n(id, changed_at)
     where u.id = n.id and u.contacts_changed_at = n.changed_at`,
    {
      ids: changes.map((change) => change.id),
      changes: changes.map((change) => change.changedAt),
    },
  );
}
