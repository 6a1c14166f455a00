import { defineConfig } from 'vitest/config';

// One scenario at a time, since each runs a whole deployment on this machine.
export default defineConfig({
  test: {
    include: ['test/containers/*.scenario.ts'],
    globalSetup: ['test/support/missing-programs.ts'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 1_800_000,
    teardownTimeout: 120_000,
  },
});
