import { createHash } from 'node:crypto';
import type { UserId } from '../domain/ids.ts';
import type { Db, Tx } from './connection.ts';

/** What a key counts for: one user's requests to one address. */
export type Scope = { userId: UserId; method: string; path: string; key: string };

/** An answer as it is kept; the body is JSON text, or that sealed. */
export type StoredAnswer = {
  requestHmac: Buffer;
  status: number;
  body: string;
  bodySealed: boolean;
};

/** Contract 5. An older answer is as good as none. */
const KEPT_HOURS = 24;

/**
 * Takes the scope for this transaction, and says whether it could: while another transaction has
 * it, nothing can be known of the answer, since an uncommitted row cannot be seen.
 */
export async function tryLock(tx: Tx, scope: Scope): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: { locked: boolean }[] }>(
    'select pg_try_advisory_xact_lock(:lock::bigint) as locked',
    { lock: lockOf(scope) },
  );
  return rows[0]?.locked === true;
}

/** The answer of the last 24 hours under the scope. To be asked for once the scope is locked. */
export async function find(tx: Tx, scope: Scope): Promise<StoredAnswer | undefined> {
  const { rows } = await tx.raw<{ rows: StoredAnswer[] }>(
    `select request_hmac, status, body, body_sealed
     from idempotency_keys
     where user_id = :userId and method = :method and path = :path and key = :key
       and created_at > now() - make_interval(hours => :hours)`,
    { ...scope, hours: KEPT_HOURS },
  );
  return rows[0];
}

/** Keeps the answer of the scope, which is locked, over one that has expired. */
export async function store(tx: Tx, scope: Scope, answer: StoredAnswer): Promise<void> {
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
 * Deletes up to `limit` expired answers and returns how many. Two at once delete different ones, and
 * an answer that is just being replaced is left alone.
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

/** Postgres names such locks by 64 bits; that two scopes share them costs a needless wait at most. */
function lockOf({ userId, method, path, key }: Scope): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([userId, method, path, key]))
    .digest();
  return digest.readBigInt64BE().toString();
}
