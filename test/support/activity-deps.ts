import type { ActivityDeps } from '../../activities/index.ts';
import type { Db } from '../../db/connection.ts';
import { type Alpha, createAlpha } from '../../gateways/alpha/client.ts';
import { createBeta } from '../../gateways/beta/client.ts';
import { createRedemptionCodes } from '../../gateways/crypto/redemption-codes.ts';
import { createLogger } from '../../gateways/telemetry/logger.ts';
import { createMetrics } from '../../gateways/telemetry/metrics.ts';
import { testKeys, testPolicy, testSealer } from './factories.ts';
import { unconfiguredOAuth } from './oauth.ts';
import { createMemoryStore, testStatementKeys } from './statements.ts';

/** An alpha client whose every call fails; a test overrides the calls that it expects. */
export function anAlphaGateway(): Alpha {
  const unexpected = () => Promise.reject(new Error('This test expects no call to alpha.'));
  return {
    findMerchant: unexpected,
    findCustomer: unexpected,
    findPayment: unexpected,
    listLocations: unexpected,
    listPayments: unexpected,
  };
}

/** The dependencies of activities on this database; mails fail unless a test passes a mailer. */
export function activityDeps(db: Db, deps: Partial<ActivityDeps> = {}): ActivityDeps {
  return {
    db,
    tokenSealer: testSealer,
    oauth: unconfiguredOAuth,
    alpha: createAlpha({ environment: 'sandbox' }),
    beta: createBeta({ environment: 'sandbox', region: 'na', maxConcurrency: 4 }),
    codes: createRedemptionCodes(testKeys),
    ingestPolicy: testPolicy,
    expiredCodes: 'refund',
    mailer: {
      send: () => Promise.reject(new Error('This test sends no mail.')),
      async close() {},
    },
    directory: {
      invite: () => Promise.reject(new Error('This test invites nobody.')),
      async check() {},
    },
    webhookSealer: testSealer,
    webhooks: { send: () => Promise.reject(new Error('This test sends no webhook.')) },
    frontendUrl: 'https://app.shop.example',
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
  intervals: { base: 300, backup: 3600 },
  async ensure() {},
  async pause() {},
  async remove() {},
  list: async () => [],
};
