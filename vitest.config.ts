import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/servers.ts'],
    setupFiles: ['test/support/after-each.ts'],
    // A process for each file: Temporal's runtime exists once in a process.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    // What is waited for may take longer than a second on a machine with other work.
    expect: { poll: { timeout: 20_000 } },
  },
});
