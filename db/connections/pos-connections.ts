import { Refusal } from '../../domain/errors.ts';
import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import { POLLED_PROVIDERS, type Provider } from '../../domain/payment.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Db } from '../connection.ts';
import { lastEventAt } from '../events/last-events.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';
import { lastSaleAt } from '../payments/last-sales.ts';
import { gapSince } from './gaps.ts';
import * as revocations from './revocations.ts';
import { earnsFrom } from './tenures.ts';

export type ConnectionStatus = 'active' | 'disconnected';

/** A merchant's account at a provider. Its tokens are only ever stored in sealed form. */
export type PosConnection = {
  id: ConnectionId;
  tenantId: TenantId;
  provider: Provider;
  merchantId: string;
  status: ConnectionStatus;
  sealedAccessToken: Sealed;
  sealedRefreshToken: Sealed | null;
  tokenExpiresAt: Date | null;
  /** When the current tokens were stored. */
  tokenRefreshedAt: Date;
  /** Since when the provider has refused the tokens for good; null if it has not. */
  needsReconnectSince: Date | null;
  /** When its provider, which was away, may be asked again; null while it answers. */
  askAgainAt: Date | null;
};

/** What is known of a merchant's account when it is connected. */
export type NewConnection = Omit<
  PosConnection,
  'id' | 'status' | 'tokenRefreshedAt' | 'needsReconnectSince' | 'askAgainAt'
> & {
  /** The id of the new record, where the tenant has none yet. */
  id?: ConnectionId;
};

/** A connection as it is shown to its merchant and to administrators. */
export type ConnectionSummary = {
  id: ConnectionId;
  provider: Provider;
  status: ConnectionStatus;
  /** The name of the account at its provider; null until it was read. */
  accountName: string | null;
  lastError: string | null;
  /** Since when the provider has refused the tokens for good; null if it has not. */
  needsReconnectSince: Date | null;
  /** Since when its webhooks are missed; null if they are not. */
  gapSince: Date | null;
  /** When the newest sale that polling brought in was last changed. */
  watermark: Date | null;
  /** When a poll last came to its end. */
  lastPolledAt: Date | null;
  /** When its newest webhook event arrived. */
  lastEventAt: Date | null;
  /** When its newest sale occurred; null without one among the newest of the tenant. */
  lastSaleAt: Date | null;
  tokenExpiresAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
};

/** The columns of a PosConnection. */
export const CONNECTION_COLUMNS = [
  'id',
  'tenantId',
  'provider',
  'merchantId',
  'status',
  'sealedAccessToken',
  'sealedRefreshToken',
  'tokenExpiresAt',
  'tokenRefreshedAt',
  'needsReconnectSince',
  'askAgainAt',
];

const SHOWN = [
  'c.id',
  'c.provider',
  'c.status',
  'c.accountName',
  'c.lastError',
  'c.needsReconnectSince',
  'p.watermark',
  'p.lastPolledAt',
  'c.tokenExpiresAt',
  'c.createdAt',
  'c.updatedAt',
];

/** The connections of a tenant as they are shown, with how far alpha's are polled. */
const shownOf = (db: Db, tenantId: TenantId) =>
  db('pos_connections as c')
    .leftJoin('connection_polls as p', 'p.connectionId', 'c.id')
    .where('c.tenantId', tenantId)
    .select<ConnectionSummary[]>(
      ...SHOWN,
      db.raw(`${gapSince('c')} as gap_since`),
      db.raw(`${lastEventAt('c')} as last_event_at`),
      db.raw(`${lastSaleAt('c')} as last_sale_at`),
    );

/** A connection that was just made: no error of the one before it, no pause, nobody's claim. */
const WORKING = {
  lastError: null,
  needsReconnectSince: null,
  askAgainAt: null,
  awayAt: null,
  awayCount: 0,
  probingUntil: null,
  refreshingUntil: null,
  refreshHolder: null,
  gapSince: null,
  gapToldAt: null,
};

/** Polling resumes at most this far back. */
const RESUMED_DAYS = 7;
/**
 * When polling resumes from: for the same account where it stopped, but not in the time of another
 * tenant; for another account now.
 */
const resumed = (column: string) => `case when :isSame
  then greatest(p.${column}, now() - make_interval(days => :days), ${earnsFrom('c')})
  else now() end`;

/** A run that polls loses its lease, and what was known of the webhooks is of another time. */
const RESUME = `
  update connection_polls p
  set watermark = ${resumed('watermark')}, polled_from = ${resumed('polled_from')},
    lease_run = null, lease_holder = null, leased_until = null, covered_polls = 0
  from pos_connections c
  where c.id = :id and c.tenant_id = :tenantId and p.connection_id = c.id`;

const BEGIN = `
  insert into connection_polls (connection_id, watermark, polled_from)
  select id, now(), now() from pos_connections
  where id = :id and provider = any(:polled)
  on conflict (connection_id) do nothing`;

/** Lists the tenants' active connections to a provider, at most one per tenant. */
export async function listActive(
  db: Db,
  provider: Provider,
  tenantIds: readonly TenantId[],
): Promise<PosConnection[]> {
  return db('pos_connections')
    .whereIn('tenantId', [...tenantIds])
    .where({ provider, status: 'active' })
    .select<PosConnection[]>(CONNECTION_COLUMNS);
}

/** Lists a tenant's connections, newest first, starting after `after`. */
export async function list(
  db: Db,
  tenantId: TenantId,
  page: { limit: number; after?: ConnectionId | undefined },
): Promise<ConnectionSummary[]> {
  const query = shownOf(db, tenantId);
  if (page.after !== undefined) {
    const position = db('pos_connections')
      .where({ tenantId, id: page.after })
      .select('createdAt', 'id');
    query.whereRaw('(c.created_at, c.id) < ?', [position]);
  }
  return query
    .orderBy([
      { column: 'c.createdAt', order: 'desc' },
      { column: 'c.id', order: 'desc' },
    ])
    .limit(page.limit);
}

/** Finds the connection that represents the tenant: the newest active one, else the newest. */
export async function findPrimary(
  db: Db,
  tenantId: TenantId,
): Promise<ConnectionSummary | undefined> {
  const [primary] = await shownOf(db, tenantId)
    .orderByRaw(`c.status = 'active' desc, c.created_at desc, c.id desc`)
    .limit(1);
  return primary;
}

/**
 * Connects a tenant to a merchant's account; the tenant's record for that provider is reused. The
 * same account is polled from where polling stopped, at most seven days back, so that only the last
 * days are polled again. Another account is polled from now on, a run that polls the old one loses
 * its lease, and our access to the old one is revoked in the background. Throws a violation of
 * `pos_connections_one_active_per_merchant` when another tenant is connected to the account, and
 * FORBIDDEN when the tenant was closed, whose account nobody could disconnect.
 */
export async function connect(db: Db, connection: NewConnection): Promise<ConnectionId> {
  const { id = newId(), ...known } = connection;
  const record = { ...known, status: 'active', tokenRefreshedAt: db.fn.now() };
  return db.transaction(async (tx) => {
    const { tenantId, provider, merchantId } = known;
    // Of two at the same moment the second one sees which account it replaces.
    const tenant = await tx('tenants').where({ id: tenantId }).forNoKeyUpdate().first('closedAt');
    if (tenant?.closedAt) throw new Refusal('FORBIDDEN', 'The shop was closed for good.');
    const before = await findStanding(tx, tenantId, provider);
    const isSame = before?.merchantId === merchantId;
    const rows = await tx('pos_connections')
      .insert({ ...record, id })
      .onConflict(['tenantId', 'provider'])
      .merge({
        ...record,
        ...WORKING,
        accountName: null,
        ...(isSame ? {} : { locationCountries: {} }),
        updatedAt: tx.fn.now(),
      })
      .returning<{ id: ConnectionId }[]>('id');
    const connected = one(rows, 'connection');
    await tx.raw(RESUME, { ...connected, tenantId, isSame, days: RESUMED_DAYS });
    await tx.raw(BEGIN, { ...connected, polled: [...POLLED_PROVIDERS] });
    // The watermark is that of the location furthest behind, so nothing is skipped.
    await tx('poll_positions').where({ connectionId: connected.id }).delete();
    if (before?.status === 'active' && !isSame) {
      const { merchantId: left } = before;
      await revocations.note(tx, { ...connected, tenantId, provider, merchantId: left });
    }
    return connected.id;
  });
}

/** What identifies an account, also one without tokens. */
export type Account = Pick<PosConnection, 'id' | 'provider' | 'merchantId'>;
const ACCOUNT = ['id', 'provider', 'merchantId'];
export type Disconnected = { account: Account; wasActive: boolean };

/**
 * Disconnects a tenant's connection; `wasActive` says whether it was connected until then. Its
 * tokens are removed, and our access is revoked in the background, where the provider can.
 */
export async function disconnect(
  db: Db,
  tenantId: TenantId,
  id: ConnectionId,
): Promise<Disconnected | undefined> {
  const [disconnected] = await db('pos_connections')
    .where({ id, tenantId, status: 'active' })
    .update({
      status: 'disconnected',
      sealedAccessToken: null,
      sealedRefreshToken: null,
      updatedAt: db.fn.now(),
    })
    .returning<Account[]>(ACCOUNT);
  if (disconnected !== undefined) {
    await revocations.note(db, { ...disconnected, tenantId });
    return { account: disconnected, wasActive: true };
  }
  const account = await db('pos_connections').where({ id, tenantId }).first<Account>(ACCOUNT);
  return account && { account, wasActive: false };
}

/** How a tenant's account at a provider stands; undefined when it never had one. */
export async function findStanding(
  db: Db,
  tenantId: TenantId,
  provider: Provider,
): Promise<{ merchantId: string; status: ConnectionStatus } | undefined> {
  return db('pos_connections')
    .where({ tenantId, provider })
    .first<{ merchantId: string; status: ConnectionStatus }>('merchantId', 'status');
}
