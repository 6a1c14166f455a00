import { z } from 'zod';
import * as tenantAdmin from '../../../db/tenants/admin.ts';
import { PaymentId, TenantId, UserId } from '../../../domain/ids.ts';
import { INGESTION_OUTCOMES } from '../../../domain/outcomes.ts';
import { PROVIDERS } from '../../../domain/payment.ts';
import { USER_STATUSES } from '../../../domain/roles.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { searchParameter } from '../../http/requests/filters.ts';
import { route } from '../../http/route.ts';
import {
  overviewOf,
  ShopStatus,
  TenantOverview,
  tenantOverviewExample,
} from '../../resources/tenant-overview.ts';

const ListedTenant = z
  .object({
    id: TenantId,
    name: z.string(),
    country: z.string().nullable(),
    status: ShopStatus,
    connections: z.array(
      z.object({ posType: z.enum(PROVIDERS), status: z.enum(['active', 'disconnected']) }),
    ),
    consumerCount: z.int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ListedTenant' });

const TenantDetail = TenantOverview.extend({
  owner: z
    .object({ userId: UserId, email: z.string().nullable(), status: z.enum(USER_STATUSES) })
    .nullable()
    .describe('The merchant who joined the tenant first.'),
  lastIngest: z
    .object({
      transactionId: PaymentId,
      provider: z.enum(PROVIDERS),
      outcome: z.enum(INGESTION_OUTCOMES),
      at: z.iso.datetime(),
    })
    .nullable()
    .describe('The latest ingested payment.'),
  lastError: z
    .object({ provider: z.enum(PROVIDERS), message: z.string(), at: z.iso.datetime() })
    .nullable()
    .describe('The latest error of a connection, or of an event that is not ingested yet.'),
}).meta({ id: 'TenantDetail' });

const listedExample: z.input<typeof ListedTenant> = {
  id: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
  name: 'Corner Café',
  country: 'DE',
  status: 'active',
  connections: [{ posType: PROVIDERS[0], status: 'active' }],
  consumerCount: 418,
  createdAt: '2026-01-15T10:00:00.000Z',
};

const MAX_SEARCH_LENGTH = 200;

/** Where a page starts: after a tenant. */
const Position = z.tuple([z.literal('tenant'), TenantId]);

export const listTenants = route({
  method: 'GET',
  path: '/admin/tenants',
  access: 'ADMIN_TENANTS_VIEW_ALL',
  tag: 'Admin',
  summary: 'List all tenants, newest first',
  query: z.object({
    q: searchParameter(MAX_SEARCH_LENGTH).describe(
      'Part of a name, in any case. Without it, all are listed.',
    ),
    limit: pageLimit(50),
    cursor: pageCursor(Position),
  }),
  response: z.array(ListedTenant),
  examples: { response: [listedExample] },

  handle({ query, db }) {
    const after = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => tenantAdmin.list(db, { limit, after, named: query.q }),
      show: answerOf,
      position: ({ id }) => ['tenant', id],
    });
  },
});

function answerOf({ connections, createdAt, ...facts }: tenantAdmin.ListedTenant) {
  return {
    ...facts,
    connections: connections.map(({ provider, status }) => ({ posType: provider, status })),
    createdAt: createdAt.toISOString(),
  };
}

export const showTenantDetail = route({
  method: 'GET',
  path: '/admin/tenants/:tenantId',
  access: 'ADMIN_TENANTS_VIEW_ALL',
  tag: 'Admin',
  summary: 'Show a tenant with its owner, its latest payment and its latest error',
  response: TenantDetail,
  examples: {
    response: {
      ...tenantOverviewExample,
      owner: {
        userId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c',
        email: 'merchant@example.com',
        status: 'active',
      },
      lastIngest: {
        transactionId: 'c8e5b1a2-90d4-4f7b-8a63-2e1f0d9c8b7a',
        provider: PROVIDERS[0],
        outcome: 'credited',
        at: '2026-01-15T10:00:02.000Z',
      },
      lastError: null,
    },
  },

  async handle({ tenant, db, settings }) {
    const overview = await overviewOf(db, tenant, settings);
    const { owner, lastIngest, lastError } = await tenantAdmin.healthOf(db, tenant.id);
    return {
      ...overview,
      owner,
      lastIngest: lastIngest && { ...lastIngest, at: lastIngest.at.toISOString() },
      lastError: lastError && { ...lastError, at: lastError.at.toISOString() },
    };
  },
});
