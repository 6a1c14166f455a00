import { afterEach, expect } from 'vitest';
import { openDatabases } from './open-databases.ts';

// After every test no connection is still in use. What its ledger says is verified when a database
// is closed, which is a fifth of the work of doing so after each test; with VERIFY=each that
// happens as well, which names the test that broke it.
afterEach(async () => {
  for (const db of openDatabases) {
    await expect.poll(() => db.client.pool.numUsed(), { timeout: 5_000 }).toBe(0);
  }
  if (process.env.VERIFY !== 'each' || openDatabases.size === 0) return;
  const { expectWhole } = await import('./ledger-check.ts');
  for (const db of openDatabases) await expectWhole(db);
});
