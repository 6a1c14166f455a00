import type { RedemptionId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import type { ExpiredCodes } from '../../domain/redemption.ts';
import { announce } from '../changes/announce.ts';
import type { Db, Tx } from '../connection.ts';
import { limitLockWaits } from '../lock-waits.ts';
import { isActive } from '../tenants/is-active.ts';
import { type ClosedCode, REWARD_AND_PROGRAMME, settle } from './closing.ts';
import { IS_HELD, IS_OPEN, IS_USABLE } from './status.ts';

// How redemptions end that are not used.

// A code that could not be expired is left out of sweeps until its next attempt.
const OVERDUE = `status = 'issued' and expires_at <= statement_timestamp()`;
const DUE = `${OVERDUE} and (next_expiry_at is null or next_expiry_at <= statement_timestamp())`;

const expire = (candidates: string) => `
  with overdue as (select id from redemptions where ${candidates})
  update redemptions r
  set status = 'expired', expired_at = statement_timestamp(), sealed_code = null,
    points_returned = :isReturned or ${IS_HELD} or not ${isActive('r.tenant_id')}
  from overdue
  where r.id = overdue.id
  returning r.id, r.wallet_id, r.user_id, r.points, r.points_returned as is_returned,
    ${REWARD_AND_PROGRAMME}`;

const EXPIRE_ONE = expire(`${OVERDUE} and id = :id for no key update`);
const EXPIRE_GIVEN = expire(`${DUE} and id = any(:ids::uuid[]) order by id for no key update`);
const EXPIRE_OVERDUE = expire(
  `${DUE} order by expires_at limit :limit for no key update skip locked`,
);

const EXPIRE_OF_WALLETS = expire(
  `${OVERDUE} and wallet_id = any(:walletIds::uuid[]) order by id for no key update`,
);
const EXPIRE_OF_TENANT = expire(
  `${OVERDUE} and tenant_id = :tenantId order by id for no key update`,
);

/**
 * Expires a redemption if it is overdue by the database's clock, and credits its points back once
 * if that is the policy, or if nobody could use the code: its wallet is frozen, or its owner or the
 * tenant suspended. A closed redemption stays as it is.
 */
export async function expireOne(
  db: Db,
  id: RedemptionId,
  policy: ExpiredCodes,
): Promise<ExpiredCode[]> {
  return expireAll(db, EXPIRE_ONE, { id, isReturned: policy === 'refund' });
}

/** A code that a call has expired, and whether its points returned. */
export type ExpiredCode = ClosedCode & { userId: UserId };

/**
 * Expires those of the redemptions that are overdue in one transaction, as `expireOne` does. Leaves
 * out those that failed lately.
 */
export async function expireGiven(
  db: Db,
  policy: ExpiredCodes,
  ids: readonly RedemptionId[],
): Promise<ExpiredCode[]> {
  return expireAll(db, EXPIRE_GIVEN, { ids: [...ids], isReturned: policy === 'refund' });
}

/**
 * Expires up to `limit` overdue redemptions in one transaction, as `expireOne` does. Skips those
 * that another transaction has locked, and those that failed lately.
 */
export async function expireOverdue(
  db: Db,
  policy: ExpiredCodes,
  limit: number,
): Promise<ExpiredCode[]> {
  return expireAll(db, EXPIRE_OVERDUE, { limit, isReturned: policy === 'refund' });
}

async function expireAll(
  db: Db,
  statement: string,
  bindings: { isReturned: boolean; id?: RedemptionId; ids?: RedemptionId[]; limit?: number },
): Promise<ExpiredCode[]> {
  const expired = await db.transaction(async (tx) => {
    await limitLockWaits(tx);
    return end(tx, statement, bindings);
  });
  announce(db, { userIds: ownersOf(expired) });
  return expired;
}

/** Ends the codes that a statement returns, and settles their points. */
async function end(tx: Tx, statement: string, bindings: object): Promise<ExpiredCode[]> {
  const { rows } = await tx.raw<{ rows: ExpiredCode[] }>(statement, { ...bindings });
  await settle(tx, rows);
  return rows;
}

const ownersOf = (codes: readonly ExpiredCode[]) => codes.map(({ userId }) => userId);

/**
 * Cancels a person's redemption, if its code can still be used: it is expired, and its points
 * return whatever the policy. Of this, `burn` and an expiry at the same moment, one closes it. Says
 * whether this call did.
 */
export async function cancel(
  tx: Tx,
  { id, userId }: { id: RedemptionId; userId: UserId },
): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: ClosedCode[] }>(CANCEL, { id, userId });
  await settle(tx, rows);
  return rows.length > 0;
}

const CANCELLED = `status = 'expired', expired_at = statement_timestamp(),
  cancelled_at = statement_timestamp(), sealed_code = null, points_returned = true`;
const CLOSED_CODE = `r.id, r.wallet_id, r.points, true as is_returned, ${REWARD_AND_PROGRAMME}`;

// Its owner, who did it, need not be informed.
const CANCEL = `
  update redemptions r set ${CANCELLED}, expiry_told_at = statement_timestamp()
  where r.id = :id and r.user_id = :userId and ${IS_USABLE}
  returning ${CLOSED_CODE}`;

/**
 * Cancels all open codes of wallets whose use is being stopped. Their points return whatever the
 * policy, and the owner is mailed as about a code that expired. Returns the owner of each. To be
 * called before the wallets are locked, in the order of locks; a code that is being issued
 * meanwhile is left, and is held.
 */
export async function cancelOpen(tx: Tx, walletIds: readonly WalletId[]): Promise<UserId[]> {
  if (walletIds.length === 0) return [];
  return ownersOf(await end(tx, CANCEL_OPEN, { walletIds: [...walletIds] }));
}

const CANCEL_OPEN = `
  with open as (
    select r.id from redemptions r
    where r.wallet_id = any(:walletIds::uuid[]) and ${IS_OPEN}
    order by r.id for no key update
  ),
  cancelled as (
    update redemptions r set ${CANCELLED} from open where r.id = open.id
    returning ${CLOSED_CODE}, r.user_id, r.created_at
  )
  select * from cancelled order by created_at, id`;

/**
 * Ends all codes of wallets that are closed or unfrozen, or whose owner is suspended or reinstated:
 * overdue ones expire, open ones are cancelled, and the points of both return, since nobody could
 * use them. Returns the owner of each that was cancelled. To be called before the wallets are
 * locked.
 */
export async function endAll(tx: Tx, walletIds: readonly WalletId[]): Promise<UserId[]> {
  if (walletIds.length === 0) return [];
  await end(tx, EXPIRE_OF_WALLETS, { walletIds: [...walletIds], isReturned: true });
  return cancelOpen(tx, walletIds);
}

/**
 * Expires the overdue codes of a suspended tenant before it is reinstated. Their points return
 * whatever the policy. Returns the owner of each. To be called before anything else is locked.
 */
export async function returnOverdue(tx: Tx, tenantId: TenantId): Promise<UserId[]> {
  return ownersOf(await end(tx, EXPIRE_OF_TENANT, { tenantId, isReturned: true }));
}

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
