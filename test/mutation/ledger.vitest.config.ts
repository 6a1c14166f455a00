import { defineConfig } from 'vitest/config';

/** The tests that mutants of the ledger code have to fail, on a Postgres of each test runner. */
export default defineConfig({
  test: {
    include: [
      'test/db/ledger/{postings,wallets}.test.ts',
      'test/db/payments/{batch-write,debts,payments,revisions}.test.ts',
      'test/db/redemptions/{cancelling,closing,lifecycle,redemptions}.test.ts',
      'test/activities/ingestion/revise/{decide-again,revise-payment,revise-event}.test.ts',
    ],
    globalSetup: ['test/support/database/postgres.ts'],
    setupFiles: ['test/support/database/after-each.ts'],
    // The modules of all files are loaded once, which takes longer than the tests.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
