import type { InviteId, TenantId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language.ts';
import type { Db } from '../connection.ts';
import { OPEN_INVITE } from './invites.ts';
import { comparedEmail } from './spelling.ts';

/** The content of an invite's mail. */
export type DueInvite = {
  id: InviteId;
  email: string;
  tenantName: string;
  /** Of who is invited, or else of who invites. */
  language: Language | null;
  /** Whether the identity directory was asked before, with an outcome that was not recorded. */
  directoryAsked: boolean;
};

/** An address gets one mail on behalf of a tenant in that time, whichever invite it is for. */
const ONE_MAIL_PER = `interval '24 hours'`;

/**
 * Claims the invite's mail, if it is due: `unneeded` once the mail is sent or undeliverable or the
 * invite is closed, `deferred` while another invite's mail to that address is too recent. Of two
 * invites that are claimed at once, one is deferred; an invite can be claimed again, because a run
 * may be killed before it has sent the mail.
 */
export async function claim(db: Db, id: InviteId): Promise<DueInvite | 'unneeded' | 'deferred'> {
  const { rows } = await db.raw<{ rows: (DueInvite & { isClaimed: boolean })[] }>(
    `with due as (${dueMails('i.*')} and i.id = :id),
     claimed as (
       insert into invite_mails as m (tenant_id, email, invite_id)
       select tenant_id, ${comparedEmail('due')}, id from due
       on conflict on constraint invite_mails_one_per_tenant_and_address do update
         set invite_id = excluded.invite_id, tried_at = excluded.tried_at,
           directory_asked = m.directory_asked and m.invite_id = excluded.invite_id
         where m.invite_id = excluded.invite_id or m.tried_at <= now() - ${ONE_MAIL_PER}
       returning invite_id, directory_asked
     )
     select d.id, d.email, t.name as tenant_name, c.invite_id is not null as is_claimed,
       coalesce(c.directory_asked, false) as directory_asked,
       coalesce((
         select u.language from users u
         where ${comparedEmail('u')} = ${comparedEmail('d')} and u.email_verified
           and u.language is not null
         order by u.created_at limit 1
       ), by.language) as language
     from due d join tenants t on t.id = d.tenant_id join users by on by.id = d.invited_by
     left join claimed c on c.invite_id = d.id`,
    { id },
  );
  const [row] = rows;
  if (row === undefined) return 'unneeded';
  const { isClaimed, ...due } = row;
  return isClaimed ? due : 'deferred';
}

/** Notes that the directory is about to be asked, or, with `false`, that it surely did nothing. */
export async function noteAsked(db: Db, id: InviteId, directoryAsked: boolean): Promise<void> {
  await db('invite_mails').where({ inviteId: id }).update({ directoryAsked });
}

/** Records that the mail was sent. */
export async function recordSent(db: Db, id: InviteId): Promise<void> {
  await db('invites').where({ id, sentAt: null }).update({ sentAt: db.fn.now() });
}

/** Records that the address is undeliverable. The invite stays: the person may still sign in. */
export async function recordUndeliverable(db: Db, id: InviteId): Promise<void> {
  await db('invites').where({ id, sentAt: null }).update({ undeliverableAt: db.fn.now() });
}

/** Mails of newer invites are left to the request that committed the invite. */
const OVERDUE_AFTER_SECONDS = 30;

/** An invite whose mail has been due for a while. */
export type OverdueInvite = { id: InviteId; tenantId: TenantId };

/**
 * Lists the invites whose mail is overdue, ordered by id, starting after `after`. One that another
 * invite's mail defers is overdue when its time has come.
 */
export async function listOverdue(
  db: Db,
  page: { after: InviteId | null; limit: number },
): Promise<OverdueInvite[]> {
  const { rows } = await db.raw<{ rows: OverdueInvite[] }>(
    `${dueMails('i.id, i.tenant_id')}
       and i.created_at < now() - make_interval(secs => :seconds)
       and (:after::uuid is null or i.id > :after)
       and not exists (
         select from invite_mails m
         where m.tenant_id = i.tenant_id and m.email = ${comparedEmail('i')}
           and m.invite_id <> i.id and m.tried_at > now() - ${ONE_MAIL_PER}
         -- Looked up for each invite, not joined with all of them.
         offset 0)
     order by i.id limit :limit`,
    { ...page, seconds: OVERDUE_AFTER_SECONDS },
  );
  return rows;
}

/**
 * Deletes up to `limit` records of mails that defer no other mail any more, and returns the number.
 * One whose mail is still due stays, since it says whether the directory was asked.
 */
export async function deleteOld(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `delete from invite_mails where (tenant_id, email) in (
       select m.tenant_id, m.email from invite_mails m
       where m.tried_at <= now() - ${ONE_MAIL_PER} and not exists (
         ${dueMails('i.id')} and i.id = m.invite_id)
       order by m.tried_at limit :limit for update of m skip locked
     )`,
    { limit },
  );
  return rowCount;
}

function dueMails(columns: string): string {
  return `select ${columns} from invites i
    where ${OPEN_INVITE} and i.sent_at is null and i.undeliverable_at is null`;
}
