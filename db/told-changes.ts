import type { TenantId, UserId } from '../domain/ids.ts';
import type { AuditAction, AuditEntryId, AuditedState } from './audit-log.ts';
import type { Db } from './connection.ts';
import type { Addressee } from './tenants/owners.ts';

// The audit log is the outbox of mails about changes: an entry that people are told of becomes due
// work, by a trigger, and `change_mails` has who was told. Of a connection that was lost people are
// told again a day later, if it is lost still.

/** Somebody who is to be told of a change. */
export type Recipient = Addressee & { emailVerified: boolean };

/** A change that people are told of by mail, with what the mail names. */
export type ToldChange = {
  id: AuditEntryId;
  action: AuditAction;
  actor: 'user' | 'ops';
  before: AuditedState;
  after: AuditedState;
  createdAt: Date;
  /** Null for what concerns the administrators. */
  tenantId: TenantId | null;
  tenantName: string | null;
  logoPath: string | null;
  color: string | null;
  currency: string | null;
  /** By whose clocks times are told: the tenant's, or of who is erased the newest shop's. */
  country: string | null;
  timeZone: string | null;
  /** Of the actor, if who is told may know it. */
  actorEmail: string | null;
  /** Of the person who was changed. */
  targetEmail: string | null;
  /** Of the connected account. */
  accountName: string | null;
  /** Of the endpoint. */
  url: string | null;
  /** Why points that a merchant asked for were declined. */
  answer: string | null;
  /** Who was not told yet. */
  recipients: Recipient[];
};

/** A bound for mails about one change. */
const MAX_TOLD = 100;

/**
 * Who is told. Of a tenant's changes: its active merchants. Of changes without a tenant: all other
 * active administrators. Of an approval or an erasure: the person. Of points for goodwill: the
 * merchant who asked.
 */
const RECIPIENTS = `
  select u.id, u.email, u.email_verified, u.language
  from unnest(case
    when a.action in ('user.erase', 'user.approve') then array[a.target_id]
    when a.target_type = 'wallet' then array(
      select user_id from memberships
      where tenant_id = a.tenant_id and user_id = g.requested_by and role = 'client')
    when a.tenant_id is null then array(
      select id from users where role = 'admin' and status = 'active' and id <> a.target_id
      order by id limit ${MAX_TOLD})
    else array(
      select m.user_id from memberships m where m.tenant_id = a.tenant_id and m.role = 'client'
      order by m.created_at desc limit ${MAX_TOLD})
    end) as told (id)
  cross join lateral (select * from users where users.id = told.id limit 1) u
  where u.email_verified and u.email is not null
    and (a.tenant_id is null or a.action = 'user.approve'
      or u.role = 'client' and u.status = 'active')
    and (select true from change_mails k
      where k.entry_id = a.id and k.user_id = u.id and k.is_reminder = :isReminder limit 1) is null
  order by u.id`;

/** Finds changes with those who were not told of them yet. */
export async function find(db: Db, ids: readonly AuditEntryId[]): Promise<ToldChange[]> {
  return read(db, ids, false);
}

/** Finds lost connections that were not connected since then, with those to be reminded of them. */
export async function findStillLost(db: Db, ids: readonly AuditEntryId[]): Promise<ToldChange[]> {
  return read(db, ids, true);
}

async function read(
  db: Db,
  ids: readonly AuditEntryId[],
  isReminder: boolean,
): Promise<ToldChange[]> {
  const { rows } = await db.raw<{ rows: ToldChange[] }>(
    `select a.id, a.action, a.actor, a.before, a.after, a.created_at, a.tenant_id,
       t.name as tenant_name, t.logo_path, t.color, t.currency,
       coalesce(t.country, visited.country) as country,
       coalesce(t.time_zone, visited.time_zone) as time_zone,
       target.email as target_email,
       case when a.tenant_id is null or (
         select true from memberships m
         where m.tenant_id = a.tenant_id and m.user_id = by.id limit 1
       ) then by.email end as actor_email,
       c.account_name, e.url, g.answer,
       coalesce((select jsonb_agg(jsonb_build_object(
           'id', r.id, 'email', r.email, 'emailVerified', r.email_verified,
           'language', r.language))
         from (${RECIPIENTS}) r), '[]') as recipients
     from audit_log a
     left join tenants t on t.id = a.tenant_id
     left join lateral (
       select s.country, s.time_zone from wallets w join tenants s on s.id = w.tenant_id
       where a.action = 'user.erase' and w.user_id = a.target_id
       order by w.created_at desc limit 1
     ) visited on true
     left join users by on by.id = a.actor_user_id
     left join users target on a.target_type = 'user' and target.id = a.target_id
     left join pos_connections c on a.target_type = 'connection' and c.id = a.target_id
       and c.merchant_id = a.after ->> 'merchantId'
     left join webhook_endpoints e on a.target_type = 'endpoint' and e.id = a.target_id
     left join goodwill_requests g on a.target_type = 'wallet' and g.tenant_id = a.tenant_id
       and g.id = (a.after ->> 'goodwillId')::uuid
     where a.id = any(:ids::uuid[]) and (not :isReminder::boolean
       or c.status = 'active' and c.needs_reconnect_since <= a.created_at)`,
    { ids: [...ids], isReminder },
  );
  return rows;
}

/** Records that a person was told of a change, or reminded of it, or cannot be. */
export async function recordTold(
  db: Db,
  mail: { entryId: AuditEntryId; userId: UserId; isReminder: boolean },
): Promise<void> {
  await db('change_mails').insert(mail).onConflict(['entryId', 'userId', 'isReminder']).ignore();
}
