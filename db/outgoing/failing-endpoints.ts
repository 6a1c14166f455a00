import type { EndpointId } from '../../domain/ids.ts';
import { SILENT_DAYS } from '../../domain/webhook-retries.ts';
import type { Db } from '../connection.ts';
import { park } from './endpoints.ts';

/** Active endpoints that took nothing for five days while a delivery has failed. */
const FAILING = `
  status = 'active' and deleted_at is null and failed_since is not null
  and greatest(delivered_at, active_since) <= now() - interval '${SILENT_DAYS} days'`;

/** Whether an endpoint has to be disabled because it fails, or an owner to be told of one. */
export async function isAnyDue(db: Db): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { isDue: boolean }[] }>(
    `select exists (
       select from webhook_endpoints where ${FAILING}
     ) or exists (
       select from webhook_endpoints where notice_due_since <= now()
     ) as is_due`,
  );
  return rows[0]?.isDue ?? false;
}

/** Disables up to `limit` failing endpoints, which makes mails to owners due; returns how many. */
export async function disableFailing(db: Db, limit: number): Promise<number> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.raw<{ rows: { id: EndpointId }[] }>(
      `update webhook_endpoints
       set status = 'disabled', disabled_reason = 'failing', notice_due_since = now(),
         updated_at = now()
       where id = any(array(
         select id from webhook_endpoints where ${FAILING}
         order by failed_since limit :limit for no key update skip locked
       ))
       returning id`,
      { limit },
    );
    for (const { id } of rows) await park(tx, id);
    return rows.length;
  });
}

/** The content of the mail about a disabled endpoint, and the verified addresses of its owners. */
export type DisabledNotice = {
  id: EndpointId;
  url: string;
  disabledAt: Date;
  tenantName: string;
  emails: string[];
};

const MAX_OWNERS = 10;

/** Lists the mails about disabled endpoints that are due, the longest due first. */
export async function listNotices(db: Db, limit: number): Promise<DisabledNotice[]> {
  const { rows } = await db.raw<{ rows: DisabledNotice[] }>(
    `select e.id, e.url, e.updated_at as disabled_at, t.name as tenant_name, array(
       select u.email from memberships m join users u on u.id = m.user_id
       where m.tenant_id = e.tenant_id and m.role = 'client' and u.email_verified
         and u.email is not null
       order by m.created_at limit ${MAX_OWNERS}
     ) as emails
     from webhook_endpoints e
     join tenants t on t.id = e.tenant_id
     where e.notice_due_since <= now()
     order by e.notice_due_since limit :limit`,
    { limit },
  );
  return rows;
}

/** Records that a mail was sent or cannot be. */
export async function closeNotice(db: Db, id: EndpointId): Promise<void> {
  await db('webhook_endpoints').where({ id }).update({ noticeDueSince: null });
}

const SEND_AGAIN_AFTER_MINUTES = 5;

/** Makes a mail due later, because the mail server did not take it. */
export async function postponeNotice(db: Db, id: EndpointId): Promise<void> {
  await db('webhook_endpoints')
    .where({ id })
    .whereNotNull('noticeDueSince')
    .update({
      noticeDueSince: db.raw('now() + make_interval(mins => ?)', [SEND_AGAIN_AFTER_MINUTES]),
    });
}
