import type { PaymentId, TenantId, UserId } from '../../domain/ids.ts';
import type { IngestionOutcome } from '../../domain/outcomes.ts';
import type { Provider } from '../../domain/payment.ts';
import type { UserStatus } from '../../domain/roles.ts';
import type { Db } from '../connection.ts';

/** What an administrator checks first when a merchant reports that nothing arrives. */
export type TenantHealth = {
  /** The first merchant of the tenant. */
  owner: { userId: UserId; email: string | null; status: UserStatus } | null;
  lastIngest: {
    transactionId: PaymentId;
    provider: Provider;
    outcome: IngestionOutcome;
    at: Date;
  } | null;
  /** Of an event that is still not processed, or of a connection. */
  lastError: { provider: Provider; message: string; at: Date } | null;
};

/** Returns a tenant's owner, its last ingested payment and its last error. */
export async function healthOf(db: Db, tenantId: TenantId): Promise<TenantHealth> {
  const [owner, ingest, error] = await Promise.all([
    db.raw<{ rows: NonNullable<TenantHealth['owner']>[] }>(OWNER, { tenantId }),
    db.raw<{ rows: NonNullable<TenantHealth['lastIngest']>[] }>(LAST_INGEST, { tenantId }),
    db.raw<{ rows: NonNullable<TenantHealth['lastError']>[] }>(LAST_ERROR, { tenantId }),
  ]);
  return {
    owner: owner.rows[0] ?? null,
    lastIngest: ingest.rows[0] ?? null,
    lastError: error.rows[0] ?? null,
  };
}

const OWNER = `
  select u.id as user_id, u.email, u.status
  from memberships m join users u on u.id = m.user_id
  where m.tenant_id = :tenantId and m.role = 'client'
  order by m.created_at, u.id limit 1`;

const LAST_INGEST = `
  select id as transaction_id, provider, outcome, created_at as at
  from payments where tenant_id = :tenantId
  order by created_at desc, id desc limit 1`;

/**
 * When the error of a connection happened: it was lost then, or its provider was found away. Of a
 * poll that failed otherwise it is not known, but was after the last one that came to its end.
 */
const HAPPENED_AT = `coalesce(c.needs_reconnect_since,
      greatest(c.away_at, p.last_polled_at, c.updated_at))`;

const LAST_ERROR = `
  select provider, message, at from (
    (select provider, last_error as message, received_at as at
     from pending_events where tenant_id = :tenantId and last_error is not null
     order by received_at desc limit 1)
    union all
    (select provider, last_error, received_at
     from stalled_events where tenant_id = :tenantId and last_error is not null
     order by received_at desc limit 1)
    union all
    select c.provider, c.last_error, ${HAPPENED_AT}
    from pos_connections c left join connection_polls p on p.connection_id = c.id
    where c.tenant_id = :tenantId and c.last_error is not null
  ) errors
  order by at desc limit 1`;
