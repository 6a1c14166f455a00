import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that leave nothing behind: they share modules, which take longer to load than to test. */
const SHARING = [
  'test/domain/**/*.test.ts',
  'test/db/!(traced-statements).test.ts',
  'test/db/*/**/*.test.ts',
  'test/activities/!(progress).test.ts',
  'test/activities/*/**/*.test.ts',
  'test/api/routes/**/*.test.ts',
];

/** Small files that take long, which would come last and run alone. */
const LONG = ['/test/soak/soak.test.ts', '/test/linearizability/linearizability.test.ts'];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((end) => moduleId.endsWith(end));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

const each = {
  setupFiles: ['test/support/after-each.ts'],
  pool: 'forks' as const,
  testTimeout: 30_000,
  hookTimeout: 120_000,
  // What is waited for may take longer than a second on a machine with other work.
  expect: { poll: { timeout: 20_000 } },
};

export default defineConfig({
  test: {
    globalSetup: ['test/support/missing-programs.ts', 'test/support/servers.ts'],
    maxWorkers: 3,
    teardownTimeout: 60_000,
    sequence: { sequencer: LongFirst },
    projects: [
      { test: { ...each, name: 'sharing', include: SHARING, isolate: false } },
      // A process for each file: Temporal's runtime exists once in a process.
      { test: { ...each, name: 'alone', include: ['test/**/*.test.ts'], exclude: SHARING } },
    ],
  },
});
