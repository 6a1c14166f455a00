import type { UserId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';

/** Somebody whose contacts are new since they were last compared with anonymous payments. */
export type ContactChange = {
  id: UserId;
  /** Verified ones only, normalised as they are stored; null for who cannot hold a wallet. */
  email: string | null;
  phone: string | null;
  changedAt: string;
};

/** Lists those who wait to be compared, who came first first. */
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

/** Says that they were compared; who has changed contacts since stays on the list. */
export async function markCompared(db: Db, newcomers: readonly ContactChange[]): Promise<void> {
  await db.raw(
    `update users u set contacts_changed_at = null
     from unnest(:ids::uuid[], :changes::timestamptz[]) as n(id, changed_at)
     where u.id = n.id and u.contacts_changed_at = n.changed_at`,
    {
      ids: newcomers.map((newcomer) => newcomer.id),
      changes: newcomers.map((newcomer) => newcomer.changedAt),
    },
  );
}
