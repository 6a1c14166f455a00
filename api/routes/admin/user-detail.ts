import { z } from 'zod';
import * as userAdmin from '../../../db/users/admin.ts';
import * as erasures from '../../../db/users/erasures.ts';
import { TenantId } from '../../../domain/ids.ts';
import { route } from '../../http/route.ts';
import { ErasureSchema, erasureAnswerOf } from '../../resources/erasure.ts';
import { FoundUserSchema, foundUserExample, foundUserOf } from './users.ts';
import { AdminWallet, adminWalletExample, walletsOf } from './wallet-views.ts';

const MembershipSchema = z
  .object({
    tenantId: TenantId,
    name: z.string().describe("The tenant's name."),
    role: z.enum(['owner', 'operator']).describe('`owner`: a merchant of the tenant.'),
    joinedAt: z.iso.datetime().describe('Since when.'),
  })
  .meta({ id: 'Membership' });

const UserDetail = FoundUserSchema.extend({
  wallets: z.array(AdminWallet).describe("The user's wallets, oldest first."),
  memberships: z
    .array(MembershipSchema)
    .describe('The tenants that the user owns or works for, first joined first.'),
  erasure: ErasureSchema.nullable().describe('Null unless they are to be erased, or were.'),
}).meta({ id: 'UserDetail' });

export const showUser = route({
  method: 'GET',
  path: '/admin/users/:userId',
  access: 'ADMIN_USER_SEARCH',
  tag: 'Admin',
  summary: 'Show a user with wallets and memberships',
  refusals: ['NOT_FOUND'],
  response: UserDetail,
  examples: {
    response: {
      ...foundUserExample,
      wallets: [adminWalletExample],
      memberships: [
        {
          tenantId: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
          name: 'Corner Café',
          role: 'operator',
          joinedAt: '2026-01-15T10:00:00.000Z',
        },
      ],
      erasure: null,
    },
  },

  async handle({ params, db, settings }) {
    const user = await userAdmin.get(db, params.userId);
    const memberships = await userAdmin.listMemberships(db, user.id);
    const erasure = await erasures.find(db, user.id);
    return {
      ...foundUserOf(user),
      wallets: await walletsOf({ db, settings }, user.id),
      memberships: memberships.map(({ joinedAt, ...membership }) => ({
        ...membership,
        joinedAt: joinedAt.toISOString(),
      })),
      erasure: erasure === undefined ? null : erasureAnswerOf(erasure),
    };
  },
});
