import { defineConfig } from 'vitest/config';

/**
 * Whole processes that are killed, loaded and watched, and the reason why they take minutes. They
 * are `npm run test:long`; all other files are `npm test`.
 */
const LONG = [
  // Storms of operations under faults.
  'test/soak/soak.test.ts',
  'test/linearizability/linearizability.test.ts',
  'test/simulation/simulation.test.ts',
  'test/worker/asking.test.ts',
  'test/worker/chaos.test.ts',
  'test/worker/crash.test.ts',
  'test/worker/crash-while-delivering.test.ts',
  'test/worker/drain.test.ts',
  'test/worker/redemption-outage.test.ts',
  'test/ports-and-signals.test.ts',
  'test/security/leaks.test.ts',
  // The server waits for a heartbeat that does not come; runs take thousands of steps until they
  // continue as new.
  'test/workflows/follow-redemptions-killed.test.ts',
  'test/workflows/replay-continued-runs.test.ts',
  // Whole processes of the API, one after the other.
  'test/api/main.test.ts',
  // Both sides of a comparison are whole deployments.
  'test/bench/compare.test.ts',
  'test/bench/verify-run.test.ts',
  // Plans of statements over many rows, and a migration of many rows.
  'test/db/plans/*.test.ts',
  'test/db/schema/upgrade.test.ts',
  // What is deployed: Prometheus and Alertmanager wait, what validates manifests is built by Go.
  'test/deploy/kubernetes.test.ts',
  'test/deploy/alerts.test.ts',
  'test/deploy/alertmanager.test.ts',
  'test/deploy/workflows.test.ts',
  // The sandbox, which is started, killed and started again.
  'test/sandbox/main.test.ts',
  'test/sandbox/postgres/recovery.test.ts',
  'test/sandbox/temporal/server.test.ts',
  'test/apps/journey.test.ts',
];

/**
 * The pages of the apps, clicked through in Chromium: a third of the time of all tests. They are
 * part of `npm run test:long`, but for the sign-in of each app and the till's story.
 */
const SCREENS = [
  'test/web/campaigns.test.ts',
  'test/web/color.test.ts',
  'test/web/components.test.ts',
  'test/web/day-sheet.test.ts',
  'test/web/drafts.test.ts',
  'test/web/first-day.test.ts',
  'test/web/frame.test.ts',
  'test/web/home.test.ts',
  'test/web/imports.test.ts',
  'test/web/in-german.test.ts',
  'test/web/install.test.ts',
  'test/web/joining.test.ts',
  'test/web/late-sales.test.ts',
  'test/web/service.test.ts',
  'test/web/attaching.test.ts',
  'test/web/lists.test.ts',
  'test/web/notices.test.ts',
  'test/web/phone-notices.test.ts',
  'test/web/office-health.test.ts',
  'test/web/office-search.test.ts',
  'test/web/office.test.ts',
  'test/web/onboarding.test.ts',
  'test/web/own-data.test.ts',
  'test/web/panel.test.ts',
  'test/web/portal.test.ts',
  'test/web/profile.test.ts',
  'test/web/programme-zone.test.ts',
  'test/web/programme.test.ts',
  'test/web/provider.test.ts',
  'test/web/rewards.test.ts',
  'test/web/reference.test.ts',
  'test/web/rules/page.test.ts',
  'test/web/rules/rehearsal.test.ts',
  'test/web/team.test.ts',
  'test/web/till-invites.test.ts',
  'test/web/till-lock.test.ts',
  'test/web/till-trouble.test.ts',
  'test/web/trouble.test.ts',
  'test/web/truth.test.ts',
  'test/web/wallet.test.ts',
];

/** What cannot share a process with other files, and why. */
const ALONE = [
  // One per process: Temporal's runtime with the log under test, and the tracer provider.
  'test/gateways/temporal/connection.test.ts',
  'test/gateways/telemetry/tracing.test.ts',
  'test/db/traced-statements.test.ts',
  // Change process.env.
  'test/sandbox/environment.test.ts',
  // Replace the clock's functions while other parts of a file may wait for them.
  'test/activities/progress.test.ts',
  'test/api/background/redemption-batches.test.ts',
  'test/api/background/throttled-warning.test.ts',
  'test/gateways/providers/shared/throttle.test.ts',
  // Measure this process, or have it fork.
  'test/bench/process-figures.test.ts',
  'test/soak/leak.test.ts',
];

const each = {
  setupFiles: ['test/support/database/after-each.ts'],
  pool: 'forks' as const,
  // Modules of CommonJS as Node has them: a proxy around each costs more than what they do.
  deps: { interopDefault: false },
  testTimeout: 30_000,
  hookTimeout: 120_000,
  // What is waited for may take longer than a second on a machine with other work.
  expect: { poll: { timeout: 20_000 } },
};

export default defineConfig({
  test: {
    globalSetup: ['test/support/missing-programs.ts', 'test/support/servers.ts'],
    // Twice two cores, since tests also wait.
    maxWorkers: 4,
    teardownTimeout: 60_000,
    experimental: { fsModuleCache: true },
    projects: [
      {
        // Files share a process, because modules take longer to load than to test. So they leave
        // nothing behind.
        test: {
          ...each,
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...LONG, ...SCREENS, ...ALONE],
          isolate: false,
        },
      },
      { test: { ...each, name: 'screens', include: SCREENS, isolate: false } },
      { test: { ...each, name: 'alone', include: ALONE } },
      { test: { ...each, name: 'long', include: LONG } },
    ],
  },
});
