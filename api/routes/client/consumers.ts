import { z } from 'zod';
import * as consumers from '../../../db/tenants/consumers.ts';
import { UserId, WalletId } from '../../../domain/ids.ts';
import { maskContacts } from '../../../domain/privacy.ts';
import { pageCursor, pageLimit, readPage } from '../../http/pagination.ts';
import { route } from '../../http/route.ts';

const ConsumerSchema = z
  .object({
    userId: UserId,
    walletId: WalletId,
    email: z.string().nullable().describe('Masked except for its first letter and its domain.'),
    phone: z.string().nullable().describe('Masked except for its last three digits.'),
    balance: z.int(),
    status: z.enum(['active', 'frozen']),
    lastActivityAt: z.iso.datetime().nullable().describe('When the balance last changed.'),
  })
  .meta({ id: 'Consumer' });

const example = {
  userId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c',
  walletId: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  email: 'a***@example.com',
  phone: '***678',
  balance: 1250,
  status: 'active',
  lastActivityAt: '2026-01-15T10:00:02.000Z',
} as const;

/** Where a page starts: after a wallet. */
const Position = z.tuple([z.literal('wallet'), WalletId]);

export const listConsumers = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/consumers',
  access: 'TENANT_CONSUMER_VIEW',
  tag: 'Merchant',
  summary: 'List the consumers of the tenant, newest wallet first',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(ConsumerSchema),
  examples: { response: [example] },

  handle({ tenant, query, db }) {
    const after = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => consumers.listOfTenant(db, tenant.id, { limit, after }),
      show: (consumer) => ({
        ...consumer,
        ...maskContacts(consumer),
        lastActivityAt: consumer.lastActivityAt?.toISOString() ?? null,
      }),
      position: ({ walletId }) => ['wallet', walletId],
    });
  },
});
