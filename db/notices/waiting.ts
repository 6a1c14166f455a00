import type { GoodwillId, UserId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
import type { Addressee } from '../tenants/owners.ts';

/** An administrator who gets the mail. */
export type Recipient = Addressee & { emailVerified: boolean };

/** A bound for mails about one thing. */
const MAX_TOLD = 100;

/** Who waits: a merchant for an approval, or for an answer about points for a customer. */
export type Waiting = { id: UserId | GoodwillId; isRequest: boolean };

/** Finds who of these still waits for an administrator. */
export async function findWaiting(db: Db, ids: readonly Waiting['id'][]): Promise<Waiting[]> {
  const { rows } = await db.raw<{ rows: Waiting[] }>(
    `select id, false as is_request from users
     where id = any(:ids::uuid[]) and status = 'pending_approval'
     union all
     select id, true from goodwill_requests where id = any(:ids::uuid[]) and status = 'open'
     order by id`,
    { ids: [...ids] },
  );
  return rows;
}

/** Lists the administrators with a verified address who want the mail about who waits. */
export async function listRecipients(db: Db): Promise<Recipient[]> {
  const { rows } = await db.raw<{ rows: Recipient[] }>(
    `select u.id, u.email, u.email_verified, u.language
     from users u left join notice_choices n on n.user_id = u.id
     where u.role = 'admin' and u.status = 'active' and u.email_verified and u.email is not null
       and coalesce(n.waiting, true)
     order by u.id limit ${MAX_TOLD}`,
  );
  return rows;
}
