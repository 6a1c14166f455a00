import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import type { PathIds } from '../http/requests/path-ids.ts';
import type { Route } from '../http/route.ts';

const ID_SCHEMA = {
  type: 'string',
  format: 'uuid',
  examples: ['5b2f0d3e-0c1f-4f6e-9a3b-7f1d2c3e4a5b'],
} as const satisfies oas31.SchemaObject;

const OBJECT_NAME_SCHEMA = {
  type: 'string',
  examples: ['5f0c6a1e9b7d4c3286a1d0e4f7b9c2a5.webp'],
} as const satisfies oas31.SchemaObject;

const DAY_SCHEMA = {
  type: 'string',
  format: 'date',
} as const satisfies oas31.SchemaObject;

/** What each parameter of a path names. One without a description does not compile. */
const DESCRIPTIONS: Record<keyof PathIds, string> = {
  tenantId: 'The id of the shop: its tenant.',
  userId: 'The id of the user.',
  walletId: 'The id of the wallet.',
  entryId: 'The id of the ledger entry.',
  transactionId: 'The id of the transaction, which is the service’s own for a payment.',
  connectionId: 'The id of the connection to a provider.',
  inviteId: 'The id of the invite.',
  redemptionId: 'The id of the redemption.',
  rehearsalId: 'The id of the rehearsal of a rule.',
  campaignId: 'The id of the campaign.',
  rewardId: 'The id of the reward.',
  importId: 'The id of the import.',
  goodwillId: 'The id of the request for points.',
  pushSubscriptionId: 'The id of the subscription, as adding it answered.',
  endpointId: 'The id of the endpoint that gets webhooks.',
  deliveryId: 'The id of the delivery of an event to an endpoint.',
  objectName: 'The name of the stored object.',
  day: 'A day on the clocks of the shop.',
};

/** Describes the parameters of a route's path; undefined without any. */
export function pathParametersOf({ path }: Route): z.ZodObject | undefined {
  const parts = path.split('/');
  const params = Object.entries(DESCRIPTIONS).filter(([name]) => parts.includes(`:${name}`));
  if (params.length === 0) return undefined;
  return z.object(
    Object.fromEntries(
      params.map(([name, description]) => {
        const override = { objectName: OBJECT_NAME_SCHEMA, day: DAY_SCHEMA }[name] ?? ID_SCHEMA;
        return [name, z.string().meta({ description, override })];
      }),
    ),
  );
}
