import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/connection.ts';
import { verifyLedger } from '../../db/ledger/verification.ts';
import { machineMs } from '../clock.ts';

const POLL_MS = 500;

/** Waits until each of these payments was credited. Throws when that takes longer. */
export async function untilCredited(
  db: Db,
  paymentIds: readonly string[],
  withinMs: number,
): Promise<void> {
  for (const deadline = machineMs() + withinMs; machineMs() < deadline; await sleep(POLL_MS)) {
    const wrong = await wronglyCredited(db, paymentIds);
    if (wrong.every(({ credits }) => credits > 0)) return;
  }
  const [first] = await wronglyCredited(db, paymentIds);
  throw new Error(`Payment ${first?.id} was still not credited after ${withinMs / 1000} s.`);
}

/**
 * Checks that each of these payments was credited once and that the whole ledger holds. Returns
 * what was verified; throws with what is wrong.
 */
export async function verifyMigrated(db: Db, paymentIds: readonly string[]): Promise<string> {
  const wrong = await wronglyCredited(db, paymentIds);
  if (wrong.length > 0) {
    const list = wrong.map(({ id, credits }) => `${id} ${credits} times`).join(', ');
    throw new Error(`Payments that were not credited once: ${list}.`);
  }
  const { violations, wallets, entries } = await verifyLedger(db);
  if (violations.length > 0) {
    throw new Error(`The ledger has ${violations.length} violations: ${violations[0]?.problem}.`);
  }
  const [sales, all, of] = [paymentIds.length, entries, wallets].map((n) =>
    n.toLocaleString('en-GB'),
  );
  return `Verified: ${sales} sales credited once, ${all} entries of ${of} wallets whole.`;
}

/** Some of the payments that were credited another number of times than once, the fewest first. */
async function wronglyCredited(db: Db, paymentIds: readonly string[]) {
  const { rows } = await db.raw<{ rows: { id: string; credits: number }[] }>(
    `select n.id, count(e.id) as credits
     from unnest(:paymentIds::text[]) as n(id)
     left join payments p on p.provider_payment_id = n.id
     left join ledger_entries e on e.source_id = p.id and e.reason = 'purchase'
     group by n.id having count(e.id) <> 1 order by count(e.id) limit 10`,
    { paymentIds: [...paymentIds] },
  );
  return rows;
}
