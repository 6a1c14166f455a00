import { afterEach, expect } from 'vitest';
import { verifyLedger } from '../../db/ledger/verification.ts';
import { openDatabases } from './database.ts';

// Whatever a test did: balance = sum of the entries = end of the chain, in every wallet, and no
// connection is still in use.
afterEach(async (context) => {
  if (context.task.meta.brokenOnPurpose) return;
  for (const db of openDatabases()) {
    await expect.poll(() => db.client.pool.numUsed(), { timeout: 5_000 }).toBe(0);
    expect((await verifyLedger(db)).violations).toEqual([]);
  }
});

declare module 'vitest' {
  interface TaskMeta {
    /** The test leaves a broken ledger behind, because that is what it is about. */
    brokenOnPurpose?: boolean;
  }
}
