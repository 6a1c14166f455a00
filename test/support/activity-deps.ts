import type { ActivityDeps } from '../../activities/index.ts';
import type { Db } from '../../db/connection.ts';
import { createAlpha } from '../../gateways/alpha.ts';
import { createRedemptionCodes } from '../../gateways/redemption-codes.ts';
import { testKeys, testSecrets } from './factories.ts';

/** What activities need, on that database; mails are refused where a test brings no mailer. */
export function activityDeps(db: Db, deps: Partial<ActivityDeps> = {}): ActivityDeps {
  return {
    db,
    secrets: testSecrets,
    alpha: createAlpha({ environment: 'sandbox' }),
    codes: createRedemptionCodes(testKeys),
    expiredCodes: 'refund',
    mailer: {
      send: () => Promise.reject(new Error('This test sends no mail.')),
      async close() {},
    },
    directory: {
      isKnown: async () => false,
      invite: () => Promise.reject(new Error('This test invites nobody.')),
    },
    frontendUrl: 'https://app.shop.example',
    ...deps,
  };
}
