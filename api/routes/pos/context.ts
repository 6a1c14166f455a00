import { z } from 'zod';
import { appliesProgrammes } from '../../../db/connection.ts';
import * as programmes from '../../../db/tenants/programme.ts';
import * as tenants from '../../../db/tenants/tenants.ts';
import { TenantId } from '../../../domain/ids.ts';
import { timeZoneOf } from '../../../domain/time-zones.ts';
import { route } from '../../http/route.ts';
import { BrandingSchema, brandingExample, brandingOf } from '../../resources/branding.ts';

const tenantId = '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42';
const name = 'Corner Café';

export const showOperatorContext = route({
  method: 'GET',
  path: '/pos/context',
  access: 'REDEMPTION_VERIFY',
  shop: 'oldest',
  tag: 'Operator',
  summary: 'Show the shop of the operator',
  description:
    'Of several shops the one that `X-Tenant-Id` names, else the one that the operator joined ' +
    'first. `memberships` lists all of them, in that order.',
  response: z.object({
    tenantId: TenantId,
    name: z.string(),
    branding: BrandingSchema,
    currency: z.string().nullable().describe('In which it sells; null until that is known.'),
    timeZone: z.string().nullable().describe('By whose clocks its days are; null if not known.'),
    tillAttach: z
      .boolean()
      .describe('Whether staff may attach a sale to a customer, by the programme of the shop.'),
    memberships: z.array(z.object({ tenantId: TenantId, name: z.string() })),
  }),
  examples: {
    response: {
      tenantId,
      name,
      branding: brandingExample,
      currency: 'EUR',
      timeZone: 'Europe/Berlin',
      tillAttach: false,
      memberships: [{ tenantId, name }],
    },
  },

  async handle({ user, tenant, db, settings, now }) {
    const programme = appliesProgrammes(db)
      ? await programmes.findActive(db, tenant.id)
      : undefined;
    return {
      tenantId: tenant.id,
      name: tenant.name,
      branding: brandingOf(settings, tenant),
      currency: tenant.currency,
      timeZone: timeZoneOf(tenant, now()) ?? null,
      tillAttach: programme?.tillAttach ?? false,
      memberships: await tenants.listNames(db, user.tenantIds),
    };
  },
});
