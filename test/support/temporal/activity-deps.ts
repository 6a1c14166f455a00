import type { ActivityDeps } from '../../../activities/index.ts';
import type { Db } from '../../../db/connection.ts';
import { createRedemptionCodes } from '../../../gateways/crypto/redemption-codes.ts';
import { createStopLinks } from '../../../gateways/crypto/stop-links.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { createMetrics } from '../../../gateways/telemetry/metrics.ts';
import { testKeys, testPolicy, testSealer } from '../factories.ts';
import { createMemoryStore, testStatementKeys } from '../points/statements.ts';
import { type ProviderParts, testProviders } from '../providers/providers.ts';

/** The dependencies of activities on this database; mails fail unless a test passes a mailer. */
export function activityDeps(
  db: Db,
  { alpha, beta, oauth, ...deps }: Partial<ActivityDeps> & ProviderParts = {},
): ActivityDeps {
  return {
    db,
    tokenSealer: testSealer,
    providers: testProviders({ alpha, beta, oauth }),
    codes: createRedemptionCodes(testKeys),
    ingestPolicy: testPolicy,
    expiredCodes: 'refund',
    truthRepairs: 'alpha',
    mailer: {
      send: () => Promise.reject(new Error('This test sends no mail.')),
      async close() {},
    },
    directory: {
      invite: () => Promise.reject(new Error('This test invites nobody.')),
      async check() {},
    },
    contactProofs: testSealer.fingerprints,
    webhookSealer: testSealer,
    webhooks: { send: () => Promise.reject(new Error('This test sends no webhook.')) },
    pusher: undefined,
    stopLinks: createStopLinks(testKeys, 'https://api.shop.example'),
    frontendUrl: 'https://app.shop.example',
    adminEmailDomain: 'staff.example',
    objectsUrl: 'https://api.shop.example/objects',
    pollSchedules: noPollSchedules,
    objects: createMemoryStore(),
    statementKeys: testStatementKeys,
    metrics: createMetrics('worker'),
    log: createLogger({ level: 'silent', service: 'test' }),
    ...deps,
  };
}

/** Schedules that do nothing; a test of polling passes the Schedules of its namespace. */
const noPollSchedules: ActivityDeps['pollSchedules'] = {
  intervals: () => ({ base: 300, backup: 3600 }),
  async ensure() {},
  async pause() {},
  async remove() {},
  list: async () => [],
};
