import { z } from 'zod';
import type { GoodwillRequest, WaitingRequest } from '../../db/goodwill.ts';
import { GOODWILL_STATUSES } from '../../domain/goodwill.ts';
import { GoodwillId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import { maskContacts } from '../../domain/privacy.ts';

/** Points that a merchant asked for, as the merchant sees it. */
export const GoodwillSchema = z
  .object({
    id: GoodwillId,
    status: z
      .enum(GOODWILL_STATUSES)
      .describe('`open` until an administrator answers. Points are moved when it is granted.'),
    points: z.int(),
    reason: z.string().nullable().describe('Null once the customer was erased.'),
    answer: z.string().nullable().describe('Why it was declined.'),
    consumer: z
      .object({
        userId: UserId,
        email: z.string().nullable().describe('Masked.'),
        phone: z.string().nullable().describe('Masked.'),
      })
      .describe('Who is to get the points.'),
    createdAt: z.iso.datetime(),
    closedAt: z.iso.datetime().nullable().describe('Null while it is open.'),
  })
  .meta({ id: 'GoodwillRequest' });

/** The same, as administrators answer it. */
export const WaitingGoodwillSchema = z
  .object({
    ...GoodwillSchema.omit({ consumer: true, answer: true, closedAt: true, status: true }).shape,
    walletId: WalletId,
    balance: z.int().describe('Of the wallet now.'),
    userId: UserId,
    email: z.string().nullable().describe('Of the customer.'),
    phone: z.string().nullable().describe('Of the customer.'),
    tenantId: TenantId,
    tenantName: z.string().describe('The name of the shop.'),
    tenantStatus: z.enum(['active', 'suspended']).describe('Of the shop, now.'),
    requestedBy: z.object({ userId: UserId, email: z.string().nullable() }).describe('Who asks.'),
  })
  .meta({ id: 'WaitingGoodwillRequest' });

const asked = {
  id: '8b1d3f5a-7c9e-4b2d-a4f6-1e3c5a7b9d0f',
  points: 200,
  reason: 'The coffee was cold, and the second one too.',
  createdAt: '2026-01-15T10:00:00.000Z',
} as const;
const userId = '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c';

export const goodwillExample = {
  ...asked,
  status: 'open',
  answer: null,
  consumer: { userId, email: 'a***@example.com', phone: '***678' },
  closedAt: null,
} as const;

export const waitingGoodwillExample = {
  ...asked,
  walletId: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  balance: 1250,
  userId,
  email: 'ada@example.com',
  phone: null,
  tenantId: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
  tenantName: 'Corner Café',
  tenantStatus: 'active',
  requestedBy: { userId: '4b5a6c7d-8e9f-4a1b-9c2d-3e4f5a6b7c8d', email: 'mia@example.com' },
} as const;

/** Builds what a merchant sees of a request. */
export function goodwillAnswerOf({ userId: id, email, phone, ...request }: GoodwillRequest) {
  return {
    ...request,
    consumer: { userId: id, ...maskContacts({ email, phone }) },
    createdAt: request.createdAt.toISOString(),
    closedAt: request.closedAt?.toISOString() ?? null,
  };
}

/** Builds what administrators see of a request that waits. */
export function waitingGoodwillOf({ requestedBy, requestedByEmail, ...request }: WaitingRequest) {
  return {
    ...request,
    requestedBy: { userId: requestedBy, email: requestedByEmail },
    createdAt: request.createdAt.toISOString(),
  };
}
