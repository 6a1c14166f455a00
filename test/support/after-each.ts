import { afterEach } from 'vitest';
import { openDatabases } from './open-databases.ts';

// After every test the ledger of each database is whole.
afterEach(async (context) => {
  if (context.task.meta.brokenOnPurpose || openDatabases.size === 0) return;
  // Files without a database need not load what verifies one.
  const { expectWhole } = await import('./ledger-check.ts');
  for (const db of openDatabases) await expectWhole(db);
});

declare module 'vitest' {
  interface TaskMeta {
    /** The test breaks the ledger on purpose, so the check after it is skipped. */
    brokenOnPurpose?: boolean;
  }
}
