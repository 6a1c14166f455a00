import { defineConfig } from 'vitest/config';

// One story at a time: each has the machine, with a whole deployment on it, to itself.
export default defineConfig({
  test: {
    include: ['test/topology/*.story.ts'],
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 900_000,
    teardownTimeout: 120_000,
  },
});
