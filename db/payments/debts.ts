import type { WalletId } from '../../domain/ids.ts';
import type { Debt, Reversal, Settlement } from '../../domain/refund.ts';
import type { Tx } from '../connection.ts';

/*
 * A debt is what a refunded payment still owes because its wallet's points were in open codes.
 *
 * Everything that takes several kinds of locks takes them in this order, and several of a kind
 * ordered by id, so that no two transactions can wait for each other:
 *
 *   1. webhook events      a batch skips busy ones; revisions wait for those that they close
 *   2. redemptions         the code that is closed; a sweep of many skips busy ones
 *   3. wallets' debts      the advisory lock below: refunds and closed codes of one wallet
 *   4. payments            those that are stored
 *   5. new rows            wallets, then payments, by their keys
 *   6. wallets             as the ledger locks them
 *
 * A code is issued under the lock of its wallet alone: nobody waits for a row that is not committed
 * yet.
 */

/** An arbitrary number, which separates these advisory locks from all others. */
const DEBTS_LOCK = 1_204_518_301;

type DebtRow = Debt & { walletId: WalletId };

/**
 * Locks the debts of wallets until the transaction ends, whether there are any or not: those that
 * the payments of the wallets owe, or will owe.
 */
export async function hold(tx: Tx, walletIds: readonly WalletId[]): Promise<void> {
  if (walletIds.length === 0) return;
  // Ordered by the key itself, since two wallets may share one.
  await tx.raw(
    `select pg_advisory_xact_lock(${DEBTS_LOCK}, key)
     from (
       select distinct hashtext(id::text) as key from unnest(:walletIds::uuid[]) id order by key
       offset 0
     ) keys`,
    { walletIds: [...walletIds] },
  );
}

/**
 * Locks the debts of wallets until the transaction ends, with the payments that owe them. Returns
 * them, the oldest of a wallet first.
 */
export async function lock(tx: Tx, walletIds: readonly WalletId[]): Promise<Map<WalletId, Debt[]>> {
  await hold(tx, walletIds);
  const { rows } = await tx.raw<{ rows: DebtRow[] }>(
    `with owing as (
       select * from payments
       where wallet_id = any(:walletIds::uuid[]) and points_owed > 0
       order by id for no key update
     )
     select id as payment_id, wallet_id, points_awarded as earned, amount_minor_units as paid,
       refunded_minor_units as refunded, points_reversed as reversed, points_owed as owed,
       points_written_off as written_off
     from owing order by owed_since, id`,
    { walletIds: [...walletIds] },
  );
  const debts = new Map<WalletId, Debt[]>();
  for (const { walletId, ...debt } of rows) {
    debts.set(walletId, [...(debts.get(walletId) ?? []), debt]);
  }
  return debts;
}

/** The points of locked wallets in open codes, less what is owed of them. */
export async function parkedPoints(
  tx: Tx,
  walletIds: readonly WalletId[],
): Promise<Map<WalletId, number>> {
  const { rows } = await tx.raw<{ rows: { walletId: WalletId; parked: number }[] }>(
    `select wallet_id, (
       select coalesce(sum(points), 0) from redemptions
       where wallet_id = w.wallet_id and status = 'issued'
     )::bigint - (
       select coalesce(sum(points_owed), 0) from payments
       where wallet_id = w.wallet_id and points_owed > 0
     )::bigint as parked
     from unnest(:walletIds::uuid[]) as w(wallet_id)`,
    { walletIds: [...walletIds] },
  );
  return new Map(rows.map(({ walletId, parked }) => [walletId, parked]));
}

/** The points in open codes of those wallets that have any. */
export async function openPoints(
  tx: Tx,
  walletIds: readonly WalletId[],
): Promise<Map<WalletId, number>> {
  const { rows } = await tx.raw<{ rows: { walletId: WalletId; points: number }[] }>(
    `select wallet_id, sum(points)::bigint as points from redemptions
     where wallet_id = any(:walletIds::uuid[]) and status = 'issued' group by wallet_id`,
    { walletIds: [...walletIds] },
  );
  return new Map(rows.map(({ walletId, points }) => [walletId, points]));
}

/**
 * Records changes of the points of locked payments, in their sums and in their decision records.
 * Debts that begin here are as old as their order.
 */
export async function record(tx: Tx, settlements: readonly Settlement[]): Promise<void> {
  const changed = settlements.map(({ reversals }) => ({
    points: sumOf(reversals, ({ points }) => points),
    owed: sumOf(reversals, ({ owed = 0 }) => owed),
    writtenOff: sumOf(reversals, ({ writtenOff }) => writtenOff),
  }));
  await tx.raw(
    `update payments p
     set points_reversed = p.points_reversed + s.points,
       points_owed = p.points_owed + s.owed,
       owed_since = case when p.points_owed + s.owed > 0
         then coalesce(p.owed_since, now() + (s.nth - 1) * interval '1 microsecond') end,
       points_written_off = p.points_written_off + s.written_off,
       decision = jsonb_set(p.decision, '{reversals}',
         coalesce(p.decision -> 'reversals', '[]') || s.reversals)
     from unnest(:ids::uuid[], :points::bigint[], :owed::bigint[], :writtenOff::bigint[],
         :reversals::jsonb[]) with ordinality
       as s(id, points, owed, written_off, reversals, nth)
     where p.id = any(:ids::uuid[]) and p.id = s.id`,
    {
      ids: settlements.map(({ paymentId }) => paymentId),
      points: changed.map(({ points }) => points),
      owed: changed.map(({ owed }) => owed),
      writtenOff: changed.map(({ writtenOff }) => writtenOff),
      reversals: settlements.map(({ reversals }) => JSON.stringify(reversals)),
    },
  );
}

function sumOf(reversals: readonly Reversal[], part: (reversal: Reversal) => number): number {
  return reversals.reduce((sum, reversal) => sum + part(reversal), 0);
}
