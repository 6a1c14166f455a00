import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/connection.ts';
import { verifyLedger } from '../../db/ledger/verification.ts';
import { machineMs } from '../clock.ts';

const POLL_MS = 500;

/**
 * Waits until no event is open, in the tables of either release, but for those that are swept no
 * more. Returns after how many milliseconds; throws when that takes longer.
 */
export async function untilDrained(db: Db, withinMs: number): Promise<number> {
  const begun = machineMs();
  for (; ; await sleep(POLL_MS)) {
    const { rows } = await db.raw<{ rows: { open: number }[] }>(
      `select (select count(*) from pending_events)
         + (select count(*) from webhook_events
            where not processed and tenant_id is not null and next_attempt_at < 'infinity')
         as open`,
    );
    const open = rows[0]?.open ?? 0;
    const passed = machineMs() - begun;
    if (open === 0) return passed;
    if (passed > withinMs) throw new Error(`${open} events are open after ${withinMs / 1000} s.`);
  }
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
