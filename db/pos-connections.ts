import type { ConnectionId, TenantId } from '../domain/ids.ts';
import type { Provider } from '../domain/payment.ts';
import type { Sealed } from '../domain/sealed.ts';
import type { Db } from './connection.ts';

export type ConnectionStatus = 'active' | 'disconnected';

/** A merchant's account at a provider. Its tokens are only ever here in their sealed form. */
export type PosConnection = {
  id: ConnectionId;
  tenantId: TenantId;
  posType: Provider;
  merchantId: string;
  status: ConnectionStatus;
  sealedAccessToken: Sealed;
  sealedRefreshToken: Sealed | null;
  tokenExpiresAt: Date | null;
};

/** The tenants' active connections to a provider, at most one each. */
export async function listActive(
  db: Db,
  provider: Provider,
  tenantIds: readonly TenantId[],
): Promise<PosConnection[]> {
  return db<PosConnection>('pos_connections')
    .whereIn('tenantId', [...tenantIds])
    .where({ posType: provider, status: 'active' });
}

/** Connects a tenant to a merchant's account; the tenant's record for that provider is reused. */
export async function connect(
  db: Db,
  connection: Omit<PosConnection, 'id' | 'status'>,
): Promise<ConnectionId> {
  const [row] = await db('pos_connections')
    .insert({ ...connection, status: 'active', watermark: db.fn.now() })
    .onConflict(['tenantId', 'posType'])
    .merge({ ...connection, status: 'active', lastError: null, updatedAt: db.fn.now() })
    .returning<{ id: ConnectionId }[]>('id');
  if (row === undefined) throw new Error('The connected record was not returned.');
  return row.id;
}
