import { z } from 'zod';
import * as memberships from '../../../db/users/memberships.ts';
import { TenantId } from '../../../domain/ids.ts';
import { actingBy } from '../../http/access/acting.ts';
import { route } from '../../http/route.ts';

const tenantId = '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42';

export const leaveShop = route({
  method: 'DELETE',
  path: '/pos/membership/:tenantId',
  access: 'active-user',
  anyTenant: true,
  tag: 'Operator',
  summary: 'Stop working at a shop',
  description:
    'An operator of no other shop becomes a consumer again. Leaving the same shop again changes ' +
    'nothing. A shop that one never worked at is not found.',
  refusals: ['FORBIDDEN', 'NOT_FOUND'],
  roles: ['consumer', 'pos_operator'],
  scopes: ['till'],
  response: z.object({ ok: z.literal(true), tenantId: TenantId }),
  examples: { response: { ok: true, tenantId } },

  async handle({ tenant, db, announce, ...request }) {
    const by = actingBy(request);
    await db.transaction((tx) =>
      memberships.leave(tx, { tenantId: tenant.id, userId: request.user.id, by }),
    );
    announce({ accessOf: [request.user.id] });
    return { ok: true, tenantId: tenant.id };
  },
});
