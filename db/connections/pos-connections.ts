import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Db } from '../connection.ts';
import { one } from '../one.ts';

export type ConnectionStatus = 'active' | 'disconnected';

/** A merchant's account at a provider. Its tokens are only ever here in their sealed form. */
export type PosConnection = {
  id: ConnectionId;
  tenantId: TenantId;
  provider: Provider;
  merchantId: string;
  status: ConnectionStatus;
  sealedAccessToken: Sealed;
  sealedRefreshToken: Sealed | null;
  tokenExpiresAt: Date | null;
  /** Since when the tokens are these. */
  tokenRefreshedAt: Date;
  /** Since when the provider refuses the tokens for good, if it does. */
  needsReconnectSince: Date | null;
};

/** What is known of a merchant's account when it is connected. */
export type NewConnection = Omit<
  PosConnection,
  'id' | 'status' | 'tokenRefreshedAt' | 'needsReconnectSince'
> & {
  /** The id of the record, where the tenant has none yet. */
  id?: ConnectionId;
};

/** A connection as it is shown to its merchant and to administrators. */
export type ShownConnection = {
  id: ConnectionId;
  provider: Provider;
  status: ConnectionStatus;
  lastError: string | null;
  watermark: Date | null;
  tokenExpiresAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

/** The columns of a PosConnection. */
export const CONNECTION_COLUMNS = [
  'id',
  'tenantId',
  'posType as provider',
  'merchantId',
  'status',
  'sealedAccessToken',
  'sealedRefreshToken',
  'tokenExpiresAt',
  'tokenRefreshedAt',
  'needsReconnectSince',
];

const SHOWN = [
  'id',
  'posType as provider',
  'status',
  'lastError',
  'watermark',
  'tokenExpiresAt',
  'createdAt',
  'updatedAt',
];

/** What was not polled for longer is not gone back to (contract 5). */
const RESUMED_DAYS = 7;
/** The time that polling goes on from: for the same account where it was, for another one now. */
const RESUMED = `case when pos_connections.merchant_id = excluded.merchant_id
  then coalesce(greatest(coalesce(:from:, pos_connections.watermark), now() - make_interval(days => :days)), now())
  else now() end`;

/** The tenants' active connections to a provider, at most one each. */
export async function listActive(
  db: Db,
  provider: Provider,
  tenantIds: readonly TenantId[],
): Promise<PosConnection[]> {
  return db('pos_connections')
    .whereIn('tenantId', [...tenantIds])
    .where({ posType: provider, status: 'active' })
    .select<PosConnection[]>(CONNECTION_COLUMNS);
}

/** The tenant's connections, the newest first, from the one after `after` on. */
export async function list(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; after?: ConnectionId | undefined },
): Promise<ShownConnection[]> {
  const query = db('pos_connections').where({ tenantId });
  if (page.after !== undefined) {
    const position = db('pos_connections').where({ id: page.after }).select('createdAt', 'id');
    query.whereRaw('(created_at, id) < ?', [position]);
  }
  return query
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(page.limit)
    .select<ShownConnection[]>(SHOWN);
}

/** The connection that stands for the tenant: the newest active one, else the newest. */
export async function findForemost(
  db: Db,
  tenantId: TenantId,
): Promise<ShownConnection | undefined> {
  return db('pos_connections')
    .where({ tenantId })
    .orderByRaw(`status = 'active' desc, created_at desc, id desc`)
    .first<ShownConnection>(SHOWN);
}

/**
 * Connects a tenant to a merchant's account; the tenant's record for that provider is reused. What
 * was polled of the same account is not polled again, save for the last days; another account is
 * polled from now on, and a run that polls the old one loses its lease. Throws a violation of
 * `pos_connections_one_active_per_merchant` when the account is another tenant's.
 */
export async function connect(db: Db, connection: NewConnection): Promise<ConnectionId> {
  const { id, provider, ...known } = connection;
  const tokenRefreshedAt = db.fn.now();
  const record = { ...known, posType: provider, status: 'active', tokenRefreshedAt };
  return db.transaction(async (tx) => {
    const rows = await tx('pos_connections')
      .insert({ ...record, ...(id && { id }), watermark: tx.fn.now(), polledFrom: tx.fn.now() })
      .onConflict(['tenantId', 'posType'])
      .merge({
        ...record,
        watermark: tx.raw(RESUMED, { days: RESUMED_DAYS, from: 'pos_connections.watermark' }),
        polledFrom: tx.raw(RESUMED, { days: RESUMED_DAYS, from: 'pos_connections.polledFrom' }),
        pollLeaseRun: null,
        pollLeaseHolder: null,
        pollLeasedUntil: null,
        lastError: null,
        needsReconnectSince: null,
        updatedAt: tx.fn.now(),
      })
      .returning<{ id: ConnectionId }[]>('id');
    const connected = one(rows, 'connection');
    // The watermark is where the one that lags most behind is, so nothing is passed over.
    await tx('poll_positions').where({ connectionId: connected.id }).delete();
    return connected.id;
  });
}

export type Disconnected = { connection: PosConnection; wasActive: boolean };

/** Disconnects a tenant's connection, and says whether it was connected; undefined without one. */
export async function disconnect(
  db: Db,
  tenantId: TenantId,
  id: ConnectionId,
): Promise<Disconnected | undefined> {
  const [disconnected] = await db('pos_connections')
    .where({ id, tenantId, status: 'active' })
    .update({ status: 'disconnected', updatedAt: db.fn.now() })
    .returning<PosConnection[]>(CONNECTION_COLUMNS);
  if (disconnected !== undefined) return { connection: disconnected, wasActive: true };
  const connection = await db('pos_connections')
    .where({ id, tenantId })
    .first<PosConnection>(CONNECTION_COLUMNS);
  return connection && { connection, wasActive: false };
}

/** Whether some tenant is connected to that merchant's account. */
export async function isMerchantActive(
  db: Db,
  { provider, merchantId }: Pick<PosConnection, 'provider' | 'merchantId'>,
): Promise<boolean> {
  const row = await db('pos_connections')
    .where({ posType: provider, merchantId, status: 'active' })
    .first('id');
  return row !== undefined;
}
