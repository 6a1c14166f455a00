import { expect } from 'vitest';
import type { Db } from '../../../db/connection.ts';
import { countByProvider } from '../../../db/connections/counts.ts';
import { verifyLedger } from '../../../db/ledger/verification/whole.ts';

/**
 * Expects that each wallet's balance is the sum of its entries and its head the end of its chain,
 * and that the kept counts of connections are right.
 */
export async function expectWhole(db: Db): Promise<void> {
  const hint = 'The ledger is not whole; with VERIFY=each the test that broke it fails';
  expect((await verifyLedger(db)).violations, hint).toEqual([]);
  expect(await wrongCounts(db), hint).toEqual([]);
}

/** Lists the providers whose kept counts are not those of their connections, in one snapshot. */
async function wrongCounts(db: Db): Promise<unknown[]> {
  // The first call counts what was there before the trigger, in tests that switch it off.
  await countByProvider(db);
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `select *
     from (select provider, count(*) as active, count(needs_reconnect_since) as lost
           from pos_connections where status = 'active' group by provider) c
     full join (select provider, sum(active) as kept_active, sum(reconnect) as kept_lost
                from connection_counts group by provider) k using (provider)
     where (coalesce(active, 0), coalesce(lost, 0)) <> (kept_active, kept_lost)`,
  );
  return rows;
}
