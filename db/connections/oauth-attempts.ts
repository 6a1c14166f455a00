import type { AttemptId, ConnectionId, TenantId, UserId } from '../../domain/ids.ts';
import {
  ATTEMPT_LIFETIME_MS,
  type ConnectError,
  type ConnectFailure,
  type ConnectOutcome,
} from '../../domain/oauth.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { Db, Tx } from '../connection.ts';
import { newId } from '../new-id.ts';
import { one } from '../one.ts';

/** An authorization that came back with a code. */
export type NewAttempt = {
  id: AttemptId;
  tenantId: TenantId;
  provider: Provider;
  /** The merchant whose account it is, as the browser says. Nothing proves it yet. */
  claimedMerchantId: string | null;
  sealedCode: Sealed;
  startedBy: AttemptStarter;
};

/** Who connects, and the request that brought the code. */
export type AttemptStarter = { userId: UserId; correlationId: string; requestId: string };

/** An attempt whose code was read. Reading deletes the code, so it cannot be read again. */
export type TakenAttempt = NewAttempt & { connectionId: ConnectionId };

/** By then the code has long expired at the provider, and no one waits for the outcome. */
const KEPT_MINUTES = 60;

/**
 * Stores a code for the exchange and returns the id of the connection it will make: the tenant's
 * existing one, or a new id.
 */
export async function insert(tx: Tx, attempt: NewAttempt): Promise<ConnectionId> {
  const { rows } = await tx.raw<{ rows: { connectionId: ConnectionId }[] }>(
    `insert into oauth_attempts
       (id, tenant_id, provider, claimed_merchant_id, sealed_code, user_id, correlation_id,
         request_id, connection_id, expires_at)
     values (:id, :tenantId, :provider, :claimedMerchantId, :sealedCode, :userId, :correlationId,
       :requestId,
       coalesce((select c.id from pos_connections c
                 where c.tenant_id = :tenantId and c.provider = :provider), :newConnectionId),
       now() + make_interval(secs => :seconds))
     returning connection_id`,
    {
      ...attempt,
      newConnectionId: newId(),
      userId: attempt.startedBy.userId,
      correlationId: attempt.startedBy.correlationId,
      requestId: attempt.startedBy.requestId,
      seconds: ATTEMPT_LIFETIME_MS / 1000,
    },
  );
  return one(rows, 'attempt').connectionId;
}

/** Reads a waiting attempt and deletes its code; undefined when it was read or has ended before. */
export async function take(db: Db, id: AttemptId): Promise<TakenAttempt | undefined> {
  const { rows } = await db.raw<{ rows: TakenRow[] }>(
    `with taken as (
       select id, sealed_code from oauth_attempts
       where id = :id and status = 'waiting' and expires_at > now()
       for update
     )
     update oauth_attempts a set status = 'exchanging', sealed_code = null
     from taken where a.id = taken.id
     returning a.id, a.tenant_id, a.provider, a.claimed_merchant_id, a.connection_id,
       taken.sealed_code, a.user_id, a.correlation_id, a.request_id`,
    { id },
  );
  return rows[0] && attemptOf(rows[0]);
}

type TakenRow = Omit<TakenAttempt, 'startedBy'> & AttemptStarter;

function attemptOf({ userId, correlationId, requestId, ...attempt }: TakenRow): TakenAttempt {
  return { ...attempt, startedBy: { userId, correlationId, requestId } };
}

/** Settles an attempt as connected and says whether it still could: if not, roll back. */
export async function settleConnected(
  tx: Tx,
  id: AttemptId,
  connectionId: ConnectionId,
): Promise<boolean> {
  const settled = await tx('oauth_attempts')
    .where({ id, status: 'exchanging' })
    .where('expiresAt', '>', tx.fn.now())
    .update({ status: 'connected', connectionId });
  return settled === 1;
}

/**
 * Returns the outcome of an attempt. One that is not settled yet has failed from now on, as
 * `otherwise` says, and loses its code; one that has succeeded stays connected.
 */
export async function settle(
  db: Db,
  id: AttemptId,
  { otherwise: { error, accountCurrency } }: { otherwise: ConnectFailure },
): Promise<ConnectOutcome> {
  await db('oauth_attempts')
    .where({ id })
    .whereIn('status', ['waiting', 'exchanging'])
    .update({
      status: 'failed',
      error,
      accountCurrency: accountCurrency ?? null,
      sealedCode: null,
    });
  const row = await db('oauth_attempts')
    .where({ id })
    .first<Settled | undefined>('connectionId', 'error', 'accountCurrency');
  if (row === undefined) return { connected: false, error };
  if (row.error === null) return { connected: true, connectionId: row.connectionId };
  return {
    connected: false,
    error: row.error,
    ...(row.accountCurrency !== null && { accountCurrency: row.accountCurrency }),
  };
}

type Settled = {
  connectionId: ConnectionId;
  error: ConnectError | null;
  accountCurrency: string | null;
};

/** Deletes up to `limit` attempts that expired an hour ago or earlier, and returns the number. */
export async function deleteExpired(db: Db, limit: number): Promise<number> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `delete from oauth_attempts where id in (
       select id from oauth_attempts
       where expires_at <= now() - make_interval(mins => :minutes)
       order by expires_at limit :limit for update skip locked
     )
     returning 1`,
    { limit, minutes: KEPT_MINUTES },
  );
  return rows.length;
}
