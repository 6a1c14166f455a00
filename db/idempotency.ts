import { createHash } from 'node:crypto';
import type { UserId } from '../domain/ids.ts';
import type { Db, Tx } from './connection.ts';

/** What a key is valid for: one user's requests with one method to one path. */
export type Scope = { userId: UserId; method: string; path: string; key: string };

/** A response as it is stored. The body is JSON text, sealed if `bodySealed`. */
export type StoredResponse = {
  requestHmac: Buffer;
  status: number;
  body: string;
  bodySealed: boolean;
};

/** How long a response is stored. An older one counts as absent, so the key is free again. */
const KEPT_HOURS = 24;

/**
 * Locks the scope until the transaction ends, and returns whether it could. While another
 * transaction holds the lock, the response is unknown, since an uncommitted row is invisible.
 */
export async function tryLock(tx: Tx, scope: Scope): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: { locked: boolean }[] }>(
    'select pg_try_advisory_xact_lock(:lock::bigint) as locked',
    { lock: lockOf(scope) },
  );
  return rows[0]?.locked === true;
}

/** Finds the scope's response of the last 24 hours. The caller must hold the scope's lock. */
export async function find(tx: Tx, scope: Scope): Promise<StoredResponse | undefined> {
  const { rows } = await tx.raw<{ rows: StoredResponse[] }>(
    `select request_hmac, status, body, body_sealed
     from idempotency_keys
     where user_id = :userId and method = :method and path = :path and key = :key
       and created_at > now() - make_interval(hours => :hours)`,
    { ...scope, hours: KEPT_HOURS },
  );
  return rows[0];
}

/** Stores the response of a locked scope, in place of an expired one. */
export async function store(tx: Tx, scope: Scope, answer: StoredResponse): Promise<void> {
  await tx.raw(
    `insert into idempotency_keys
       (user_id, method, path, key, request_hmac, status, body, body_sealed)
     values (:userId, :method, :path, :key, :requestHmac, :status, :body, :bodySealed)
     on conflict (user_id, method, path, key) do update set
       request_hmac = excluded.request_hmac, status = excluded.status, body = excluded.body,
       body_sealed = excluded.body_sealed, created_at = excluded.created_at`,
    { ...scope, ...answer },
  );
}

/**
 * Deletes up to `limit` expired responses and returns the number. Concurrent calls delete different
 * ones, and skip a response that is being replaced.
 */
export async function deleteExpired(db: Db, limit: number): Promise<number> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `with expired as (
       select user_id, method, path, key from idempotency_keys
       where created_at <= now() - make_interval(hours => :hours)
       order by created_at
       limit :limit
       for update skip locked
     )
     delete from idempotency_keys i using expired e
     where i.user_id = e.user_id and i.method = e.method and i.path = e.path and i.key = e.key
     returning 1`,
    { hours: KEPT_HOURS, limit },
  );
  return rows.length;
}

/**
 * Postgres identifies an advisory lock by 64 bits. Two scopes that share them exclude each other
 * without need, which is harmless.
 */
function lockOf({ userId, method, path, key }: Scope): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([userId, method, path, key]))
    .digest();
  return digest.readBigInt64BE().toString();
}
