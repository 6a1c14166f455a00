import type { ConnectionId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';

/** The content of the mail about a connected account, and the owner's address if it is verified. */
export type DueNotice = {
  id: ConnectionId;
  provider: Provider;
  merchantId: string;
  accountName: string | null;
  connectedAt: Date;
  tenantName: string;
  /** The name of the stored logo. */
  logoPath: string | null;
  email: string | null;
};

/** Lists the notices that are due, the longest due first. */
export async function listDue(db: Db, limit: number): Promise<DueNotice[]> {
  const { rows } = await db.raw<{ rows: DueNotice[] }>(
    `select c.id, c.provider, c.merchant_id, c.account_name,
       c.token_refreshed_at as connected_at, t.name as tenant_name, t.logo_path, owner.email
     from pos_connections c
     join tenants t on t.id = c.tenant_id
     left join lateral (
       select case when u.email_verified then u.email end as email
       from memberships m join users u on u.id = m.user_id
       where m.tenant_id = c.tenant_id and m.role = 'client'
       order by m.created_at limit 1
     ) owner on true
     where c.notice_due_since <= now()
     order by c.notice_due_since limit :limit`,
    { limit },
  );
  return rows;
}

/** Records that the mail was sent or cannot be; the mail about an account connected since stays. */
export async function close(db: Db, { id, merchantId }: DueNotice): Promise<void> {
  await db('pos_connections').where({ id, merchantId }).update({ noticeDueSince: null });
}

const SEND_AGAIN_AFTER_MINUTES = 5;

/** Makes a notice due later, because the mail server did not take it. */
export async function postpone(db: Db, { id, merchantId }: DueNotice): Promise<void> {
  await db('pos_connections')
    .where({ id, merchantId })
    .whereNotNull('noticeDueSince')
    .update({
      noticeDueSince: db.raw('now() + make_interval(mins => ?)', [SEND_AGAIN_AFTER_MINUTES]),
    });
}
