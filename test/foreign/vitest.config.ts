import { defineConfig } from 'vitest/config';

// One scenario at a time, since each runs other people's servers on this machine.
export default defineConfig({
  test: {
    include: ['test/foreign/*.scenario.ts'],
    globalSetup: ['test/support/missing-programs.ts', 'test/support/servers.ts'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 900_000,
    teardownTimeout: 120_000,
  },
});
