import type { WalletId } from '../../domain/ids.ts';
import {
  type Debt,
  payDebts,
  type Reversal,
  type Settlement,
  writeOffDebts,
} from '../../domain/refund.ts';
import type { Tx } from '../connection.ts';
import * as ledger from '../ledger/postings.ts';

/*
 * A debt is what a refunded payment still owes because its wallet's balance did not hold it. What
 * the payments of a wallet owe, and their sum in the wallet, change under the wallet's lock only:
 * whoever holds that lock sees all its debts. While a wallet owes, its balance is 0.
 *
 * Everything that takes several kinds of locks takes them in this order, and several of a kind
 * ordered by id, so that no two transactions can wait for each other:
 *
 *   1. webhook events      a batch skips busy ones; revisions wait for those that they close
 *   2. redemptions         the code that is closed; a sweep of many skips busy ones
 *   3. rows of imports     after the lock of their shop's imports, which comes before all others
 *   4. new rows            wallets, then payments, by their keys
 *   5. wallets             as the ledger locks them
 *   6. payments            those that are stored
 *
 * A code is issued under the lock of its wallet alone: nobody waits for a row that is not committed
 * yet.
 */

type DebtRow = Debt & { walletId: WalletId; balance: number };

/**
 * Pays what wallets owe from what they hold, the oldest refund first. To be called in each
 * transaction that has credited wallets which owe, after their entries. They are locked.
 */
export async function pay(tx: Tx, walletIds: readonly WalletId[]): Promise<void> {
  if (walletIds.length === 0) return;
  const owing = new Map<WalletId, DebtRow[]>();
  for (const debt of await lock(tx, walletIds)) {
    owing.set(debt.walletId, [...(owing.get(debt.walletId) ?? []), debt]);
  }
  const paid = [...owing].flatMap(([walletId, debts]) =>
    payDebts(debts, debts[0]?.balance ?? 0).map((settlement) => ({ walletId, settlement })),
  );
  if (paid.length === 0) return;
  await record(
    tx,
    paid.map(({ settlement }) => settlement),
  );
  await ledger.post(
    tx,
    paid.flatMap(({ walletId, settlement }) => entriesOf(walletId, settlement)),
  );
}

/** Writes off what a locked wallet owes, for the erasure of its owner. */
export async function writeOff(tx: Tx, walletId: WalletId): Promise<void> {
  const settlements = writeOffDebts(await lock(tx, [walletId]));
  if (settlements.length > 0) await record(tx, settlements);
}

/** Locks the payments by which locked wallets owe, and returns what of it, the oldest first. */
export async function lock(tx: Tx, walletIds: readonly WalletId[]): Promise<DebtRow[]> {
  const { rows } = await tx.raw<{ rows: DebtRow[] }>(
    `with owing as (
       select * from payments
       where wallet_id = any(:walletIds::uuid[]) and points_owed > 0
       order by id for no key update
     )
     select o.id as payment_id, o.wallet_id, w.balance, o.points_awarded as earned,
       o.amount_minor_units as paid, o.refunded_minor_units as refunded,
       o.points_reversed as reversed, o.points_owed as owed, o.points_written_off as written_off,
       o.points_absorbed as absorbed
     from owing o
     cross join lateral (select balance from wallets where id = o.wallet_id limit 1) w
     order by o.owed_since, o.id`,
    { walletIds: [...walletIds] },
  );
  return rows;
}

function entriesOf(walletId: WalletId, { paymentId, reversals }: Settlement): ledger.Entry[] {
  const source = { sourceType: 'payment', sourceId: paymentId } as const;
  return reversals.map(({ points }) => {
    return { walletId, entryType: 'debit', reason: 'payment_refunded', points, ...source };
  });
}

/**
 * Records changes of the points of locked payments, in their sums, in their decision records and in
 * what their wallets owe, which are locked as well. Debts that begin here are as old as their
 * order.
 */
export async function record(tx: Tx, settlements: readonly Settlement[]): Promise<void> {
  const changed = settlements.map(({ reversals }) => ({
    points: sumOf(reversals, ({ points }) => points),
    owed: sumOf(reversals, ({ owed = 0 }) => owed),
    writtenOff: sumOf(reversals, ({ writtenOff }) => writtenOff),
    absorbed: sumOf(reversals, ({ absorbed = 0 }) => absorbed),
  }));
  await tx.raw(
    `with changed as (
       update payments p
       set points_reversed = p.points_reversed + s.points,
         points_owed = p.points_owed + s.owed,
         owed_since = case when p.points_owed + s.owed > 0
           then coalesce(p.owed_since, now() + (s.nth - 1) * interval '1 microsecond') end,
         points_written_off = p.points_written_off + s.written_off,
         points_absorbed = p.points_absorbed + s.absorbed,
         decision = jsonb_set(p.decision, '{reversals}',
           coalesce(p.decision -> 'reversals', '[]') || s.reversals)
       from unnest(:ids::uuid[], :points::bigint[], :owed::bigint[], :writtenOff::bigint[],
           :absorbed::bigint[], :reversals::jsonb[]) with ordinality
         as s(id, points, owed, written_off, absorbed, reversals, nth)
       where p.id = any(:ids::uuid[]) and p.id = s.id
       returning p.wallet_id, s.owed
     ),
     owing as (
       select wallet_id, sum(owed) as points from changed group by wallet_id having sum(owed) <> 0
     )
     update wallets w set owed = w.owed + o.points, updated_at = now()
     from owing o
     where w.id = any(array(select wallet_id from owing)) and w.id = o.wallet_id`,
    {
      ids: settlements.map(({ paymentId }) => paymentId),
      points: changed.map(({ points }) => points),
      owed: changed.map(({ owed }) => owed),
      writtenOff: changed.map(({ writtenOff }) => writtenOff),
      absorbed: changed.map(({ absorbed }) => absorbed),
      reversals: settlements.map(({ reversals }) => JSON.stringify(reversals)),
    },
  );
}

function sumOf(reversals: readonly Reversal[], part: (reversal: Reversal) => number): number {
  return reversals.reduce((sum, reversal) => sum + part(reversal), 0);
}
