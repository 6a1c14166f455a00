import type { ConnectionId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';

/** The content of the mail about a connected account, and the owner's verified address. */
export type ConnectionNotice = {
  id: ConnectionId;
  provider: Provider;
  merchantId: string;
  accountName: string | null;
  connectedAt: Date;
  tenantName: string;
  /** The name of the stored logo. */
  logoPath: string | null;
  email: string;
};

/** Finds the notices about connections whose tenants' owners have a verified address. */
export async function find(db: Db, ids: readonly ConnectionId[]): Promise<ConnectionNotice[]> {
  const { rows } = await db.raw<{ rows: ConnectionNotice[] }>(
    `select c.id, c.provider, c.merchant_id, c.account_name,
       c.token_refreshed_at as connected_at, t.name as tenant_name, t.logo_path, owner.email
     from pos_connections c
     join tenants t on t.id = c.tenant_id
     cross join lateral (
       select u.email, u.email_verified
       from memberships m join users u on u.id = m.user_id
       where m.tenant_id = c.tenant_id and m.role = 'client'
       order by m.created_at limit 1
     ) owner
     where c.id = any(:ids::uuid[]) and owner.email_verified and owner.email is not null`,
    { ids: [...ids] },
  );
  return rows;
}
