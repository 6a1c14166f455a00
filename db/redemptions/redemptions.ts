import { Refusal } from '../../domain/errors.ts';
import type { RedemptionId, RewardId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import {
  isLimited,
  NOTHING_PENDING,
  type PendingPoints,
  type RedemptionStatus,
  type RedemptionTerms,
} from '../../domain/redemption.ts';
import type { NamedReward } from '../../domain/rewards.ts';
import type { Sealed } from '../../domain/sealed.ts';
import type { TenantStatus } from '../../domain/tenant-status.ts';
import { type Db, type Tx, withKeptPlan } from '../connection.ts';
import { POSTING } from '../ledger/postings.ts';
import type { WalletStatus } from '../ledger/wallets.ts';
import { newIds } from '../new-id.ts';
import { one } from '../one.ts';
import { MAY_HAVE_PENDING, sumPending } from '../payments/pending.ts';
import { isActive } from '../tenants/is-active.ts';
import { ruleInEffect } from '../tenants/reward-rules.ts';
import { rewardOf } from '../tenants/rewards.ts';
import { RECENT_IF_LIMITED, recentPoints } from './recent-points.ts';
import { CANCELLED_NOW, IS_USABLE, STATUS_NOW } from './status.ts';

/** A wallet as a redemption sees it, with the tenant's rule in effect. */
export type RedeemableWallet = PendingPoints & {
  id: WalletId;
  tenantId: TenantId;
  userId: UserId;
  balance: number;
  /** In codes that are open or were used in the last 24 hours; 0 unless the rule has a share. */
  recent: number;
  status: WalletStatus;
  tenantStatus: TenantStatus;
  /** The tenant's; null until it is known. */
  currency: string | null;
  rule: RedemptionTerms | null;
};

/** Returns a person's own wallet and the rule in effect. Throws NOT_FOUND, also for another's. */
export async function getRedeemable(
  db: Db,
  walletId: WalletId,
  userId: UserId,
): Promise<RedeemableWallet> {
  const reading = db.raw<{ rows: RedeemableRow[] }>(REDEEMABLE, { walletId, userId });
  return withPending(db, redeemableOf(await withKeptPlan(reading, 'redemption-read')));
}

/** Returns the same as `getRedeemable`, with the wallet locked until the transaction ends. */
export async function lockRedeemable(
  tx: Tx,
  walletId: WalletId,
  userId: UserId,
): Promise<RedeemableWallet> {
  // The lock that the ledger takes as well: two transactions that each hold a weaker one and need
  // this one would deadlock.
  const locking = tx.raw<{ rows: RedeemableRow[] }>(LOCKED, { walletId, userId });
  const locked = redeemableOf(await withKeptPlan(locking, 'redemption-lock'));
  const wallet = await withPending(tx, locked);
  if (wallet.rule === null || !isLimited(wallet.rule)) return wallet;
  // The statement that waited for the lock would see the codes of before.
  const { rows } = await tx.raw<{ rows: { recent: number }[] }>(
    `select ${recentPoints(':walletId')} as recent`,
    { walletId },
  );
  return { ...wallet, recent: one(rows, 'sum of points').recent };
}

/** Reads what waits, by a statement of its own: after the wallet is locked, if it is. */
async function withPending(
  db: Db,
  { mayHavePending, ...wallet }: ReadWallet,
): Promise<RedeemableWallet> {
  if (!mayHavePending) return { ...wallet, ...NOTHING_PENDING };
  const pending = await sumPending(db, [wallet.id]);
  return { ...wallet, ...(pending.get(wallet.id) ?? NOTHING_PENDING) };
}

const RULE = 'r.version, r.min_balance_to_redeem, r.max_redemption_percentage';

const reading = (recent: string) => `
  select w.id, w.tenant_id, w.user_id, w.balance, w.status, t.status as tenant_status, t.currency,
    rule.version, rule.min_balance_to_redeem, rule.max_redemption_percentage::text,
    ${recent} as recent, ${MAY_HAVE_PENDING} as may_have_pending
  from wallets w
  join tenants t on t.id = w.tenant_id
  left join lateral (${ruleInEffect(RULE, 'w.tenant_id')}) rule on true
  where w.user_id = :userId and w.id = :walletId`;

const REDEEMABLE = reading(RECENT_IF_LIMITED);
const LOCKED = `${reading('0::bigint')} for no key update of w`;

/** A wallet, before what waits of it is read where that may be anything. */
type ReadWallet = Omit<RedeemableWallet, keyof PendingPoints> & { mayHavePending: boolean };

type RedeemableRow = Omit<ReadWallet, 'rule'> & {
  version: number | null;
  minBalanceToRedeem: number;
  maxRedemptionPercentage: string;
};

function redeemableOf({ rows: [row] }: { rows: RedeemableRow[] }): ReadWallet {
  if (row === undefined) throw new Refusal('NOT_FOUND', 'There is no such wallet.');
  const { version, minBalanceToRedeem, maxRedemptionPercentage, ...wallet } = row;
  const terms = { minBalanceToRedeem, maxRedemptionPercentage };
  return { ...wallet, rule: version === null ? null : { version, ...terms } };
}

/** A redemption to issue, once the rules allow it. */
export type NewRedemption = {
  id: RedemptionId;
  walletId: WalletId;
  points: number;
  discountValueMinorUnits: number;
  ruleVersion: number;
  lifetimeMs: number;
  /** What it is for; absent for points that the till takes off. */
  rewardId?: RewardId | null;
};

/**
 * A code in its stored forms, and its HMACs under every key by which a taken code is recognised.
 */
export type StoredCode = { keyId: string; hmac: Buffer; hmacs: Buffer[]; sealed: Sealed };

/** There are 2^48 codes: if a second one in a row is taken, the source of randomness is broken. */
const MAX_CODES = 8;

/**
 * Debits the wallet and issues a code, in one statement: entry, balance and redemption are written
 * together or not at all. A code that is taken is replaced by another from `makeCode`.
 */
export async function issue<Code extends StoredCode>(
  tx: Tx,
  redemption: NewRedemption,
  makeCode: () => Code,
): Promise<{ code: Code; expiresAt: Date }> {
  for (let attempt = 0; attempt < MAX_CODES; attempt++) {
    const code = makeCode();
    const { keyId, hmac, hmacs, sealed } = code;
    const { rewardId = null } = redemption;
    const bindings = { ...redemption, rewardId, keyId, hmac, hmacs, sealed, entryIds: newIds(1) };
    const issuing = tx.raw<{ rows: { expiresAt: Date }[] }>(ISSUE, bindings);
    const { rows } = await withKeptPlan(issuing, 'redemption-issue');
    const [row] = rows;
    if (row !== undefined) return { code, expiresAt: row.expiresAt };
  }
  throw new Error(`${MAX_CODES} new redemption codes in a row were already taken.`);
}

// The entry is made from the stored redemption: if the code is taken, nothing is debited.
const ISSUE = `
  with recursive issued as (
    insert into redemptions (id, wallet_id, tenant_id, user_id, points, discount_value_minor_units,
      currency, rule_version, reward_id, code_key_id, code_hmac, sealed_code, created_at,
      expires_at)
    select :id::uuid, w.id, w.tenant_id, w.user_id, :points::bigint,
      :discountValueMinorUnits::bigint, (select currency from tenants where id = w.tenant_id),
      :ruleVersion::integer, :rewardId::uuid, :keyId, :hmac::bytea, :sealed,
      statement_timestamp(), statement_timestamp() + :lifetimeMs * interval '1 millisecond'
    from wallets w
    where w.id = :walletId
      and not exists (select from redemptions where code_hmac = any(:hmacs::bytea[]))
    on conflict on constraint redemptions_code_once do nothing
    returning id, wallet_id, points, expires_at
  ),
  entry as (
    select wallet_id, 'debit' as entry_type, points, 'redemption' as reason,
      'redemption' as source_type, id as source_id, 1::bigint as nth
    from issued
  ), ${POSTING}
  select expires_at from issued`;

/** A redemption as a till sees it. Its status is the current one by the database's clock. */
export type RedemptionAtTill = {
  /** Whose points they are. */
  userId: UserId;
  status: RedemptionStatus;
  points: number;
  discountValueMinorUnits: number;
  /** In which it was confirmed; null when the tenant's was not known then. */
  currency: string | null;
  expiresAt: Date;
  usedAt: Date | null;
  /** The operator who completed it; null unless it was used. */
  usedBy: UserId | null;
  usedByName: string | null;
  usedByEmail: string | null;
  /** Whether it was ended before its time. */
  cancelled: boolean;
  customerName: string | null;
  customerEmail: string | null;
  tenantStatus: TenantStatus;
  reward: NamedReward | null;
};

/** Finds the tenant's redemption whose code has one of these HMACs. */
export async function findByCode(
  db: Db,
  tenantId: TenantId,
  hmacs: readonly Buffer[],
): Promise<RedemptionAtTill | undefined> {
  const { rows } = await db.raw<{ rows: RedemptionAtTill[] }>(
    `select r.user_id, ${STATUS_NOW} as status, r.points, r.discount_value_minor_units,
       r.currency, r.expires_at, r.used_at, ${CANCELLED_NOW} as cancelled,
       r.used_by, o.name as used_by_name, o.email as used_by_email,
       u.name as customer_name, u.email as customer_email, t.status as tenant_status,
       ${rewardOf(db)}
     from redemptions r
     join users u on u.id = r.user_id
     left join users o on o.id = r.used_by
     join tenants t on t.id = r.tenant_id
     where r.tenant_id = :tenantId and r.code_hmac = any(:hmacs::bytea[])`,
    { tenantId, hmacs: [...hmacs] },
  );
  return rows[0];
}

export type Burned = {
  id: RedemptionId;
  /** Whose points they were. */
  userId: UserId;
  points: number;
  discountValueMinorUnits: number;
  /** In which it was confirmed; null when the tenant's was not known then. */
  currency: string | null;
  usedAt: Date;
  reward: NamedReward | null;
};

/**
 * Burns a code, if it is a usable one of the tenant, which is active, and not the operator's own,
 * before its expiry by the database's clock. Of any number of concurrent calls one burns it; the
 * others return undefined.
 */
export async function burn(
  tx: Tx,
  options: { tenantId: TenantId; hmacs: readonly Buffer[]; operatorId: UserId },
): Promise<Burned | undefined> {
  const { rows } = await tx.raw<{ rows: Burned[] }>(
    `update redemptions r
     set status = 'used', used_at = statement_timestamp(), used_by = :operatorId,
       sealed_code = null
     where r.tenant_id = :tenantId and r.code_hmac = any(:hmacs::bytea[])
       and r.user_id <> :operatorId and ${IS_USABLE} and ${isActive('r.tenant_id')}
     returning r.id, r.user_id, r.points, r.discount_value_minor_units, r.currency, r.used_at,
       ${rewardOf(tx)}`,
    { ...options, hmacs: [...options.hmacs] },
  );
  return rows[0];
}
