import { defineConfig } from 'vitest/config';
import usual from '../../vitest.config.ts';

// As the tests always run, but on servers that are started once for all sabotages.
export default defineConfig({
  test: { ...usual.test, globalSetup: ['test/sabotage/shared-servers.ts'], maxWorkers: 1 },
});
