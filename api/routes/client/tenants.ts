import { z } from 'zod';
import type { Db } from '../../../db/connection.ts';
import * as tenantOverview from '../../../db/tenants/overview.ts';
import * as rewardRules from '../../../db/tenants/reward-rules.ts';
import * as tenants from '../../../db/tenants/tenants.ts';
import { TenantId } from '../../../domain/ids.ts';
import { Onboarding, OnboardingPatch } from '../../../domain/onboarding.ts';
import { route } from '../../http/route.ts';
import {
  answerOf as connectionAnswerOf,
  PosConnection,
  posConnectionExample,
} from './pos-connections.ts';
import { answerOf, RewardRuleAnswer } from './reward-rules.ts';

export const TenantOverview = z
  .object({
    tenant: z.object({
      id: TenantId,
      name: z.string(),
      country: z.string().nullable(),
      branding: z.object({ logoUrl: z.url().nullable() }),
      onboarding: Onboarding,
    }),
    posConnection: PosConnection.nullable().describe(
      'The newest active connection, else the newest.',
    ),
    activeRule: RewardRuleAnswer.pick({ id: true, version: true, ruleConfig: true }).nullable(),
    stats: z.object({ consumerCount: z.int(), transactionCount: z.int() }),
  })
  .meta({ id: 'TenantOverview' });

const tenantId = '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42';
const onboardingExample = {
  posProviderPreference: 'alpha',
  businessName: 'Corner Café',
  country: 'DE',
  profile: { city: 'Berlin', taxId: 'DE123456789' },
} as const;

export const tenantOverviewExample = {
  tenant: {
    id: tenantId,
    name: 'Corner Café',
    country: 'DE',
    branding: { logoUrl: null },
    onboarding: onboardingExample,
  },
  posConnection: posConnectionExample,
  activeRule: {
    id: '0f8b8f6e-58a5-4d0e-8a1f-0c8f1c4b9d11',
    version: 3,
    ruleConfig: {
      conversionRate: 0.1,
      minSpendMinorUnits: 500,
      maxPointsPerTransaction: 1000,
      minBalanceToRedeem: 100,
      maxRedemptionPercentage: 50,
      roundingPolicy: 'floor',
      effectiveFrom: '2026-01-15T10:00:00.000Z',
    },
  },
  stats: { consumerCount: 418, transactionCount: 2931 },
} as const;

export const bootstrapWorkspace = route({
  method: 'POST',
  path: '/client/bootstrap-merchant-workspace',
  access: 'TENANT_PROFILE_UPDATE',
  tag: 'Merchant',
  summary: 'Create the merchant workspace if it is missing',
  description: 'Creates the tenant of a client who has none. Later requests return the same one.',
  response: z.object({
    tenantId: TenantId,
    created: z.boolean().describe('Whether this request created it.'),
  }),
  examples: { response: { tenantId, created: true } },

  async handle({ user, db }) {
    return db.transaction((tx) => tenants.provision(tx, user));
  },
});

export const showTenant = route({
  method: 'GET',
  path: '/client/tenants/:tenantId',
  access: 'TENANT_VIEW',
  tag: 'Merchant',
  summary: 'Show the tenant with its connection, its reward rule and its counts',
  response: TenantOverview,
  examples: { response: tenantOverviewExample },

  async handle({ tenant, db, settings }) {
    return overviewOf(db, tenant, settings.objectsUrl);
  },
});

export const updateOnboarding = route({
  method: 'PATCH',
  path: '/client/tenants/:tenantId/onboarding',
  access: 'TENANT_PROFILE_UPDATE',
  tag: 'Merchant',
  summary: 'Update the onboarding profile',
  description:
    'Keys are merged one by one, also those of `profile`: a key that is not sent stays, and null ' +
    'removes a key. `businessName` and `country` also become those of the tenant.',
  body: OnboardingPatch,
  response: z.object({ tenantId: TenantId, onboarding: Onboarding }),
  examples: {
    body: { country: 'de', profile: { city: 'Berlin', otherPosNotes: null } },
    response: { tenantId, onboarding: onboardingExample },
  },

  async handle({ tenant, body, db }) {
    const onboarding = await tenantOverview.mergeOnboarding(db, tenant.id, body);
    return { tenantId: tenant.id, onboarding };
  },
});

/** Builds the response body of a tenant's overview. */
export async function overviewOf(
  db: Db,
  { id, name, country, logoPath }: tenants.Tenant,
  objectsUrl: string,
) {
  const overview = await tenantOverview.get(db, id);
  const [rule] = await rewardRules.list(db, id, { limit: 1 });
  const { onboarding, posConnection, consumerCount, transactionCount } = overview;
  const branding = { logoUrl: logoPath === null ? null : `${objectsUrl}/${logoPath}` };
  return {
    tenant: { id, name, country, branding, onboarding },
    posConnection: posConnection && connectionAnswerOf(posConnection),
    activeRule: rule === undefined ? null : answerOf(rule, true),
    stats: { consumerCount, transactionCount },
  };
}
