import { defineConfig } from 'vitest/config';

/** The tests that mutants of `domain/` have to fail: they are pure, and need no server. */
export default defineConfig({
  test: { include: ['test/domain/**/*.test.ts'], testTimeout: 60_000 },
});
