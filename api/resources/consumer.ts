import { z } from 'zod';
import type { Consumer, Visits } from '../../db/tenants/consumers.ts';
import { UserId, WalletId } from '../../domain/ids.ts';
import { maskContacts } from '../../domain/privacy.ts';

export const MASKED_EMAIL = 'Masked except for its first letter and its domain.';
export const MASKED_PHONE = 'Masked except for its last three digits.';

/** A customer as their shop's merchant sees them. */
export const ConsumerSchema = z
  .object({
    userId: UserId,
    walletId: WalletId,
    email: z.string().nullable().describe(MASKED_EMAIL),
    phone: z.string().nullable().describe(MASKED_PHONE),
    balance: z.int(),
    status: z.enum(['active', 'frozen']),
    lastActivityAt: z.iso.datetime().nullable().describe('When the balance last changed.'),
  })
  .meta({ id: 'Consumer' });

export const consumerExample = {
  userId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c',
  walletId: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  email: 'a***@example.com',
  phone: '***678',
  balance: 1250,
  status: 'active',
  lastActivityAt: '2026-01-15T10:00:02.000Z',
} as const;

/** Builds what a merchant sees of a customer, the contacts masked. */
export function consumerAnswerOf(consumer: Consumer) {
  return {
    ...consumer,
    ...maskContacts(consumer),
    lastActivityAt: consumer.lastActivityAt?.toISOString() ?? null,
  };
}

/** What a shop knows of a customer's visits. */
export const VisitsSchema = z
  .object({
    visits: z.int().describe('Sales in the currency of the shop, not refunded in full.'),
    firstVisitAt: z.iso.datetime().nullable().describe('Null without a visit.'),
    lastVisitAt: z.iso.datetime().nullable().describe('Null without a visit.'),
    averageMinorUnits: z.int().describe('Of a visit, after refunds.'),
    yearMinorUnits: z.int().describe('Of the last 12 months, after refunds.'),
  })
  .meta({ id: 'Visits' });

export const visitsExample = {
  visits: 14,
  firstVisitAt: '2025-06-02T08:31:00.000Z',
  lastVisitAt: '2026-01-15T09:59:58.000Z',
  averageMinorUnits: 1130,
  yearMinorUnits: 15820,
} as const;

/** Builds what is shown of a customer's visits. */
export function visitsAnswerOf({ firstVisitAt, lastVisitAt, ...sums }: Visits) {
  return {
    ...sums,
    firstVisitAt: firstVisitAt?.toISOString() ?? null,
    lastVisitAt: lastVisitAt?.toISOString() ?? null,
  };
}
