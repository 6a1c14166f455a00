import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';
import { lastEventAt } from '../events/last-events.ts';
import type { ConnectionStatus } from './pos-connections.ts';

/** A connection as an operator of the service sees it, without its tokens. */
export type ConnectionOverview = {
  id: ConnectionId;
  tenantId: TenantId;
  tenantName: string;
  provider: Provider;
  merchantId: string;
  status: ConnectionStatus;
  lastError: string | null;
  needsReconnectSince: Date | null;
  /** When the newest sale that polling brought in was last changed. */
  watermark: Date | null;
  lastPolledAt: Date | null;
  lastEventAt: Date | null;
  /** Until when its provider must not be asked, because it was away; null if it answers. */
  askAgainAt: Date | null;
  tokenExpiresAt: Date | null;
  updatedAt: Date;
};

/** Lists connections ordered by id, starting after `after`; those of one tenant if it is given. */
export async function listConnections(
  db: Db,
  options: { tenantId?: TenantId | undefined; after: ConnectionId | null; limit: number },
): Promise<ConnectionOverview[]> {
  const query = db('pos_connections as c').join('tenants as t', 't.id', 'c.tenantId');
  if (options.tenantId !== undefined) query.where('c.tenantId', options.tenantId);
  if (options.after !== null) query.where('c.id', '>', options.after);
  return query
    .orderBy('c.id')
    .limit(options.limit)
    .select<ConnectionOverview[]>(
      'c.id',
      'c.tenantId',
      't.name as tenantName',
      'c.provider',
      'c.merchantId',
      'c.status',
      'c.lastError',
      'c.needsReconnectSince',
      db.raw(polled('watermark')),
      db.raw(polled('last_polled_at')),
      db.raw(`${lastEventAt('c')} as last_event_at`),
      'c.askAgainAt',
      'c.tokenExpiresAt',
      'c.updatedAt',
    );
}

// Looked up for each connection: as a join, the planner reads the polls of all of them.
const polled = (column: string) =>
  `(select ${column} from connection_polls p where p.connection_id = c.id) as ${column}`;

/** Returns the tenant of a connection; undefined when there is no connection of that id. */
export async function findTenantOf(db: Db, id: ConnectionId): Promise<TenantId | undefined> {
  const row = await db('pos_connections').where({ id }).first<{ tenantId: TenantId }>('tenantId');
  return row?.tenantId;
}
