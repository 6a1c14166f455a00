import { afterEach, expect } from 'vitest';
import { verifyLedger } from '../../db/ledger/verification.ts';
import { openDatabases } from './database.ts';

// After every test, each wallet's balance equals the sum of its entries and the end of its chain,
// and no database connection is still in use.
afterEach(async (context) => {
  if (context.task.meta.brokenOnPurpose) return;
  for (const db of openDatabases()) {
    await expect.poll(() => db.client.pool.numUsed(), { timeout: 5_000 }).toBe(0);
    expect((await verifyLedger(db)).violations).toEqual([]);
  }
});

declare module 'vitest' {
  interface TaskMeta {
    /** The test breaks the ledger on purpose, so the check after it is skipped. */
    brokenOnPurpose?: boolean;
  }
}
