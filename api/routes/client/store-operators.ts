import { z } from 'zod';
import * as memberships from '../../../db/users/memberships.ts';
import { UserId } from '../../../domain/ids.ts';
import { actingBy } from '../../http/access/acting.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';

const StoreOperator = z
  .object({
    userId: UserId,
    email: z.string().nullable(),
    name: z.string().nullable().describe('As the identity provider says; null if it says none.'),
    joinedAt: z.iso.datetime().describe('Since when.'),
    attached30Days: z.int().describe('Sales of customers that they attached in 30 days.'),
  })
  .meta({ id: 'StoreOperator' });

const userId = '7e1c9a52-3d48-4f0b-8a6e-5b2d4c1f9e08';

/** Beyond the year 2100, and within what Postgres can compute with. */
const MAX_MICROS = 4_200_000_000_000_000;

/** Where a page starts: after the operator who joined at that time. */
const Position = z.tuple([
  z.literal('operator'),
  z.coerce.number().pipe(z.int().min(0).max(MAX_MICROS)),
  UserId,
]);

export const listStoreOperators = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/store-operators',
  access: 'TENANT_TEAM_INVITE',
  tag: 'Merchant',
  summary: 'List the store operators of the tenant, newest first',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(StoreOperator),
  examples: {
    response: [
      {
        userId,
        email: 'operator@example.com',
        name: 'George Boole',
        joinedAt: '2026-01-15T10:00:00.000Z',
        attached30Days: 3,
      },
    ],
  },

  handle({ tenant, query, db }) {
    const [, micros, userId] = query.cursor ?? [];
    const after =
      micros !== undefined && userId !== undefined ? ([micros, userId] as const) : undefined;
    return readPage(query.limit, {
      read: (limit) => memberships.listOperators(db, tenant.id, { limit, after }),
      show: ({ attached, ...operator }) => ({
        ...operator,
        joinedAt: operator.joinedAt.toISOString(),
        attached30Days: attached,
      }),
      position: (operator) => ['operator', String(operator.joinedMicros), operator.userId],
    });
  },
});

export const removeStoreOperator = route({
  method: 'DELETE',
  path: '/client/tenants/:tenantId/store-operators/:userId',
  access: 'TENANT_TEAM_INVITE',
  tag: 'Merchant',
  summary: 'Remove a store operator',
  description:
    'An operator of no other tenant becomes a consumer again. A pending invite of the person is ' +
    'withdrawn as well. Removing the same person again changes nothing.',
  response: z.object({ ok: z.literal(true), userId: UserId }),
  examples: { response: { ok: true, userId } },

  async handle({ tenant, params, db, announce, ...request }) {
    await db.transaction((tx) =>
      memberships.removeOperator(tx, {
        tenantId: tenant.id,
        userId: params.userId,
        by: actingBy(request),
      }),
    );
    announce({ accessOf: [params.userId] });
    return { ok: true, userId: params.userId };
  },
});
