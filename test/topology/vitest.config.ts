import { defineConfig } from 'vitest/config';

// One scenario at a time, since each runs a whole deployment on this machine.
export default defineConfig({
  test: {
    include: ['test/topology/*.scenario.ts'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 900_000,
    teardownTimeout: 120_000,
  },
});
