import type { RedemptionId, UserId } from '../../domain/ids.ts';
import type { ExpiredCodes } from '../../domain/redemption.ts';
import { announce } from '../changes/announce.ts';
import type { Db, Tx } from '../connection.ts';
import { limitLockWaits } from '../lock-waits.ts';
import { type ClosedCode, settle } from './closing.ts';

// How redemptions end that are not used.

// A code that could not be expired is left out of sweeps until its next attempt.
const OVERDUE = `status = 'issued' and expires_at <= statement_timestamp()`;
const DUE = `${OVERDUE} and (next_expiry_at is null or next_expiry_at <= statement_timestamp())`;

const expire = (candidates: string) => `
  with overdue as (select id from redemptions where ${candidates})
  update redemptions r
  set status = 'expired', expired_at = statement_timestamp(), sealed_code = null,
    points_returned = :isReturned
  from overdue
  where r.id = overdue.id
  returning r.id, r.wallet_id, r.user_id, r.points, :isReturned::boolean as is_returned`;

const EXPIRE_ONE = expire(`${OVERDUE} and id = :id for no key update`);
const EXPIRE_GIVEN = expire(`${DUE} and id = any(:ids::uuid[]) order by id for no key update`);
const EXPIRE_OVERDUE = expire(
  `${DUE} order by expires_at limit :limit for no key update skip locked`,
);

/**
 * Expires a redemption if it is overdue by the database's clock, and credits its points back once
 * if that is the policy. A closed redemption stays as it is. Says whether this call expired it.
 */
export async function expireOne(db: Db, id: RedemptionId, policy: ExpiredCodes): Promise<boolean> {
  const expired = await expireAll(db, EXPIRE_ONE, { id, isReturned: policy === 'refund' });
  return expired.length > 0;
}

/**
 * Expires those of the redemptions that are overdue in one transaction, as `expireOne` does, and
 * returns how many. Leaves out those that failed lately.
 */
export async function expireGiven(
  db: Db,
  policy: ExpiredCodes,
  ids: readonly RedemptionId[],
): Promise<number> {
  const bindings = { ids: [...ids], isReturned: policy === 'refund' };
  return (await expireAll(db, EXPIRE_GIVEN, bindings)).length;
}

/**
 * Expires up to `limit` overdue redemptions in one transaction, as `expireOne` does, and returns
 * their ids. Skips those that another transaction has locked, and those that failed lately.
 */
export async function expireOverdue(
  db: Db,
  policy: ExpiredCodes,
  limit: number,
): Promise<RedemptionId[]> {
  return expireAll(db, EXPIRE_OVERDUE, { limit, isReturned: policy === 'refund' });
}

type ExpiredCode = ClosedCode & { userId: UserId };

async function expireAll(
  db: Db,
  statement: string,
  bindings: { isReturned: boolean; id?: RedemptionId; ids?: RedemptionId[]; limit?: number },
): Promise<RedemptionId[]> {
  const expired = await db.transaction(async (tx) => {
    await limitLockWaits(tx);
    const { rows } = await tx.raw<{ rows: ExpiredCode[] }>(statement, bindings);
    await settle(tx, rows);
    return rows;
  });
  announce(db, { userIds: expired.map(({ userId }) => userId) });
  return expired.map(({ id }) => id);
}

/**
 * Cancels a person's redemption, if its code can still be used by the database's clock: it is
 * expired, and its points return whatever the policy. Of this, `burn` and an expiry at the same
 * moment, one closes it. Says whether this call did.
 */
export async function cancel(
  tx: Tx,
  { id, userId }: { id: RedemptionId; userId: UserId },
): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: ClosedCode[] }>(CANCEL, { id, userId });
  await settle(tx, rows);
  return rows.length > 0;
}

// Its owner, who did it, need not be informed.
const CANCEL = `
  update redemptions
  set status = 'expired', expired_at = statement_timestamp(), cancelled_at = statement_timestamp(),
    sealed_code = null, points_returned = true, expiry_told_at = statement_timestamp()
  where id = :id and user_id = :userId
    and status = 'issued' and expires_at > statement_timestamp()
  returning id, wallet_id, points, true as is_returned`;

/** The delay after a code could first not be expired; it doubles each time, up to the longest. */
const FIRST_RETRY_SECONDS = 30;
const LONGEST_RETRY_SECONDS = 6 * 3600;

/** Records that a code could not be expired, so that sweeps leave it out for longer and longer. */
export async function recordFailedExpiry(db: Db, id: RedemptionId): Promise<void> {
  await db.raw(
    `update redemptions
     set failed_expiries = failed_expiries + 1,
       next_expiry_at = now() + make_interval(secs =>
         least(:longest::float8, :first::float8 * power(2, least(failed_expiries, 20))))
     where id = :id and status = 'issued'`,
    { id, first: FIRST_RETRY_SECONDS, longest: LONGEST_RETRY_SECONDS },
  );
}

/** Lists the ids of redemptions that `expireOverdue` would expire, earliest expiry first. */
export async function listOverdue(db: Db, limit: number): Promise<RedemptionId[]> {
  const { rows } = await db.raw<{ rows: { id: RedemptionId }[] }>(
    `select id from redemptions where ${DUE} order by expires_at limit :limit`,
    { limit },
  );
  return rows.map((row) => row.id);
}
