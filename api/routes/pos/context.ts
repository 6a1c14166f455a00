import { z } from 'zod';
import * as tenants from '../../../db/tenants/tenants.ts';
import type { User } from '../../../db/users/users.ts';
import { Refusal } from '../../../domain/errors.ts';
import { TenantId } from '../../../domain/ids.ts';
import { route } from '../../http/route.ts';
import { logoUrl } from '../objects.ts';

export const showOperatorContext = route({
  method: 'GET',
  path: '/pos/context',
  access: 'REDEMPTION_VERIFY',
  tag: 'Operator',
  summary: 'Show the shop of the operator',
  refusals: ['TENANT_FORBIDDEN'],
  response: z.object({
    tenantId: TenantId,
    name: z.string(),
    branding: z.object({ logoUrl: z.url().nullable() }),
  }),
  examples: {
    response: {
      tenantId: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
      name: 'Corner Café',
      branding: { logoUrl: null },
    },
  },

  async handle({ user, db, settings }) {
    const tenantId = tenantOf(user);
    const tenant = await tenants.find(db, tenantId);
    if (tenant === undefined) throw new Error('The tenant of a membership does not exist.');
    const { name, logoPath } = tenant;
    return { tenantId, name, branding: { logoUrl: logoUrl(settings, logoPath) } };
  },
});

/** Returns an operator's tenant, the newest of several. Throws TENANT_FORBIDDEN without one. */
export function tenantOf(user: User): TenantId {
  // The ids are in the order of the memberships.
  const tenantId = user.tenantIds.at(-1);
  if (tenantId !== undefined) return tenantId;
  throw new Refusal(
    'TENANT_FORBIDDEN',
    'You are not an operator of a shop. Ask its merchant to invite you.',
  );
}
