import type { AttemptId, TenantId, UserId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Db, Tx } from '../connection.ts';

/** An authorization that a user has begun. */
export type OAuthState = {
  /** Stored as the state's nonce. */
  attemptId: AttemptId;
  tenantId: TenantId;
  userId: UserId;
  provider: Provider;
};

/** Records that an authorization has begun. From `expiresAt` on the record may be deleted. */
export async function insert(
  db: Db,
  { attemptId: nonce, ...state }: OAuthState & { expiresAt: Date },
): Promise<void> {
  await db('oauth_states').insert({ nonce, ...state });
}

/**
 * Uses a state up and returns whether it existed: true for one of any number of concurrent calls.
 */
export async function take(
  tx: Tx,
  { attemptId: nonce, tenantId, userId, provider }: OAuthState,
): Promise<boolean> {
  const taken = await tx('oauth_states').where({ nonce, tenantId, userId, provider }).delete();
  return taken === 1;
}

/** Deletes up to `limit` states that can no longer be used and returns the number. */
export async function deleteExpired(db: Db, limit: number): Promise<number> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `delete from oauth_states where nonce in (
       select nonce from oauth_states where expires_at <= now()
       order by expires_at limit :limit for update skip locked
     )
     returning 1`,
    { limit },
  );
  return rows.length;
}
