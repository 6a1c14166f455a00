import type { EndpointId, TenantId } from '../domain/ids.ts';
import type { Provider } from '../domain/payment.ts';
import { INTERVAL_STEPS, TIMES_RARER } from '../domain/poll-cadence.ts';
import type { Db } from './connection.ts';
import { one } from './one.ts';

// What is wrong at which shop, for whoever runs the service: the worst first, and not more of each
// than can be looked at.

/** How many shops are named of each kind. */
export const MOST_NAMED = 20;

/** A connection that does not bring sales, of a shop that goes on. */
export type AilingConnection = {
  tenantId: TenantId;
  tenantName: string;
  provider: Provider;
  since: Date;
};

const ailing = (since: string, where: string) => `
  select c.tenant_id, t.name as tenant_name, c.provider, ${since} as since
  from pos_connections c join tenants t on t.id = c.tenant_id
  where c.status = 'active' and t.status = 'active' and ${where}
  order by ${since}, c.id limit :limit`;

const LOST = ailing('c.needs_reconnect_since', 'c.needs_reconnect_since is not null');
const AWAY = ailing(
  'c.away_at',
  'c.needs_reconnect_since is null and c.ask_again_at is not null and c.away_at is not null',
);

/** Lists the connections that no longer let us in, the longest lost first. */
export async function listLost(db: Db, limit = MOST_NAMED): Promise<AilingConnection[]> {
  return list(db, LOST, limit);
}

/** Lists the connections whose provider did not answer when it was asked last, at `since`. */
export async function listAway(db: Db, limit = MOST_NAMED): Promise<AilingConnection[]> {
  return list(db, AWAY, limit);
}

async function list(db: Db, statement: string, limit: number): Promise<AilingConnection[]> {
  const { rows } = await db.raw<{ rows: AilingConnection[] }>(statement, { limit });
  return rows;
}

/** Longer than the longest interval between polls, twice over; longer where polls are rare. */
const POLLED_WITHIN = `interval '150 minutes'
  * case when p.covered_polls >= ${INTERVAL_STEPS[1]} then ${TIMES_RARER} else 1 end`;

/**
 * Lists the connections that should have been polled and were not, the longest ago first, but those
 * of suspended tenants. Reads the last poll of each connection, because an index of it would cost
 * each poll.
 */
export async function listUnpolled(db: Db, limit = MOST_NAMED): Promise<AilingConnection[]> {
  const { rows } = await db.raw<{ rows: AilingConnection[] }>(
    `select c.tenant_id, t.name as tenant_name, c.provider, late.since
     from (
       select p.connection_id, coalesce(p.last_polled_at, p.polled_from) as since
       from connection_polls p
       join pos_connections c on c.id = p.connection_id
       where coalesce(p.last_polled_at, p.polled_from) < now() - ${POLLED_WITHIN}
         and c.updated_at < now() - ${POLLED_WITHIN}
         and c.status = 'active' and c.needs_reconnect_since is null and c.ask_again_at is null
         and (select suspended_at from tenants where id = c.tenant_id) is null
       order by since, p.connection_id limit :limit
     ) late
     join pos_connections c on c.id = late.connection_id
     join tenants t on t.id = c.tenant_id
     order by late.since, c.id`,
    { limit },
  );
  return rows;
}

/** An endpoint of a tenant that takes nothing. */
export type FailingEndpoint = {
  endpointId: EndpointId;
  tenantId: TenantId;
  tenantName: string;
  isDisabled: boolean;
  since: Date;
};

/** Lists the endpoints whose deliveries fail, the longest failing first. */
export async function listFailingEndpoints(db: Db, limit = MOST_NAMED): Promise<FailingEndpoint[]> {
  const { rows } = await db.raw<{ rows: FailingEndpoint[] }>(
    `select e.id as endpoint_id, e.tenant_id, t.name as tenant_name,
       e.status = 'disabled' as is_disabled, e.failed_since as since
     from webhook_endpoints e join tenants t on t.id = e.tenant_id
     where e.failed_since is not null and e.deleted_at is null
     order by e.failed_since, e.id limit :limit`,
    { limit },
  );
  return rows;
}

/** Counts what verifications have found wrong in the ledger and not right since, up to a number. */
export async function countLedgerProblems(db: Db, most = 1_000): Promise<number> {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    'select count(*) as count from (select from ledger_problems limit :most) problems',
    { most },
  );
  return one(rows, 'count').count;
}
