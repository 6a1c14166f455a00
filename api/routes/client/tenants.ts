import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import * as tenantOverview from '../../../db/tenants/overview.ts';
import * as tenants from '../../../db/tenants/tenants.ts';
import { TenantId } from '../../../domain/ids.ts';
import { changesOf, Onboarding, OnboardingPatch } from '../../../domain/onboarding.ts';
import { actingBy } from '../../http/access/acting.ts';
import { route } from '../../http/route.ts';
import {
  overviewOf,
  TenantCurrency,
  TenantOverview,
  tenantOverviewExample,
} from '../../resources/tenant-overview.ts';

const { id: tenantId, onboarding: onboardingExample } = tenantOverviewExample.tenant;

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
    return overviewOf(db, tenant, settings);
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
    'removes a key. `businessName` and `country` also become those of the tenant. So does ' +
    '`currency` while the tenant has none; later another one is refused (`currency_set`), and ' +
    'nothing of the request is taken. A point is worth one minor unit of it.',
  issues: ['currency_set'],
  body: OnboardingPatch,
  response: z.object({ tenantId: TenantId, currency: TenantCurrency, onboarding: Onboarding }),
  examples: {
    body: { country: 'de', profile: { city: 'Berlin', otherPosNotes: null } },
    response: { tenantId, currency: 'EUR', onboarding: onboardingExample },
  },

  async handle({ tenant: { id }, body, db, ...request }) {
    const { currency, onboarding } = await db.transaction(async (tx) => {
      const { before, after } = await tenantOverview.mergeOnboarding(tx, id, body);
      const changes = changesOf(before, after);
      if (changes !== undefined) {
        await auditLog.insert(tx, {
          ...actingBy(request),
          ...changes,
          action: 'tenant.update',
          targetType: 'tenant',
          targetId: id,
          tenantId: id,
          reason: null,
        });
      }
      return after;
    });
    return { tenantId: id, currency, onboarding };
  },
});
