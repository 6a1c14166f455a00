import type { UserId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language.ts';
import type { Db } from '../connection.ts';

/** An administrator who gets the mail. */
export type Recipient = {
  id: UserId;
  email: string;
  emailVerified: boolean;
  language: Language | null;
};

/** A bound for mails about one thing. */
const MAX_TOLD = 100;

/** Finds which of these people still wait for the approval of an administrator. */
export async function findWaiting(db: Db, userIds: readonly UserId[]): Promise<{ id: UserId }[]> {
  const { rows } = await db.raw<{ rows: { id: UserId }[] }>(
    `select id from users where id = any(:userIds::uuid[]) and status = 'pending_approval'
     order by id`,
    { userIds: [...userIds] },
  );
  return rows;
}

/** Lists the administrators with a verified address who want the mail about waiting merchants. */
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
