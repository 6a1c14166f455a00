import { z } from 'zod';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as tenantAdmin from '../../../db/tenants/admin.ts';
import { listShopViews, type ShopView } from '../../../db/tenants/shop-views.ts';
import { PaymentId, TenantId, UserId } from '../../../domain/ids.ts';
import { INGESTION_OUTCOMES } from '../../../domain/outcomes.ts';
import { PROVIDERS } from '../../../domain/payment.ts';
import { USER_STATUSES } from '../../../domain/roles.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { searchParameter } from '../../http/requests/filters.ts';
import { route } from '../../http/route.ts';
import {
  connectionAnswerOf,
  PosConnection,
  posConnectionExample,
} from '../../resources/pos-connection.ts';
import {
  overviewOf,
  ShopStatus,
  TenantOverview,
  tenantOverviewExample,
} from '../../resources/tenant-overview.ts';

const lastHeardAt = z.iso.datetime().nullable();

const ListedTenant = z
  .object({
    id: TenantId,
    name: z.string(),
    country: z.string().nullable(),
    status: ShopStatus,
    needsAttention: z
      .boolean()
      .describe(
        'Whether a connection has to be made again or is silent, or an endpoint was given up. ' +
          'Never of a suspended shop.',
      ),
    lastHeardAt: lastHeardAt.describe('The newest sale, or the newest word of a connection.'),
    connections: z.array(
      z.object({
        posType: z.enum(PROVIDERS),
        status: z.enum(['active', 'disconnected']),
        needsReconnect: z.boolean().describe('Lost: its merchant has to connect it again.'),
        isSilent: z.boolean().describe('Active, and not heard for three days.'),
        lastHeardAt: lastHeardAt.describe('The newest webhook, or the newest poll.'),
      }),
    ),
    lastDay: z
      .object({
        credited: z.int().describe('Sales that gave points.'),
        notCredited: z
          .array(z.object({ reason: z.string(), count: z.int().describe('How many.') }))
          .describe('The others by the reason, the most frequent first.'),
      })
      .describe('Sales of the last 24 hours.'),
    deliveries: z
      .object({
        waiting: z.int().describe('Events that have not reached an endpoint yet.'),
        disabledEndpoints: z.int().describe('Endpoints that were given up.'),
      })
      .describe('What is sent to the systems of the shop.'),
    consumerCount: z.int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'ListedTenant' });

const TenantDetail = TenantOverview.extend({
  connections: z.array(PosConnection),
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
  needsAttention: true,
  lastHeardAt: '2026-01-15T10:00:00.000Z',
  connections: [
    {
      posType: PROVIDERS[0],
      status: 'active',
      needsReconnect: true,
      isSilent: false,
      lastHeardAt: '2026-01-15T10:00:00.000Z',
    },
  ],
  lastDay: { credited: 38, notCredited: [{ reason: 'no_match', count: 5 }] },
  deliveries: { waiting: 0, disabledEndpoints: 0 },
  consumerCount: 418,
  createdAt: '2026-01-15T10:00:00.000Z',
};

const MAX_SEARCH_LENGTH = 200;

/** Where a page starts: after a tenant, among those that need attention or the others. */
const Position = z.tuple([z.literal('tenant'), TenantId, z.enum(['attention', 'other'])]);

export const listTenants = route({
  method: 'GET',
  path: '/admin/tenants',
  access: 'ADMIN_TENANTS_VIEW_ALL',
  tag: 'Admin',
  summary: 'List all tenants: those that need attention first, then the newest',
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
    const [, id, kind] = query.cursor ?? [];
    const after = id && { id, needsAttention: kind === 'attention' };
    return readPage(query.limit, {
      read: (limit) => listShopViews(db, { limit, after, named: query.q, days: 1 }),
      show: answerOf,
      position: (shop) => ['tenant', shop.id, shop.needsAttention ? 'attention' : 'other'],
    });
  },
});

function answerOf(shop: ShopView) {
  const { connections, credited, notCredited, deliveriesWaiting, endpointsDisabled } = shop;
  const reasons = Object.entries(notCredited).map(([reason, count]) => ({ reason, count }));
  return {
    ...shop,
    createdAt: shop.createdAt.toISOString(),
    lastHeardAt: shop.lastHeardAt?.toISOString() ?? null,
    connections: connections.map(({ provider, ...one }) => ({
      ...one,
      posType: provider,
      lastHeardAt: one.lastHeardAt?.toISOString() ?? null,
    })),
    lastDay: {
      credited,
      notCredited: reasons.toSorted((one, other) => other.count - one.count),
    },
    deliveries: { waiting: deliveriesWaiting, disabledEndpoints: endpointsDisabled },
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
      connections: [posConnectionExample],
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
    const connections = await posConnections.list(db, tenant.id, { limit: PROVIDERS.length });
    const { owner, lastIngest, lastError } = await tenantAdmin.healthOf(db, tenant.id);
    return {
      ...overview,
      connections: connections.map(connectionAnswerOf),
      owner,
      lastIngest: lastIngest && { ...lastIngest, at: lastIngest.at.toISOString() },
      lastError: lastError && { ...lastError, at: lastError.at.toISOString() },
    };
  },
});
