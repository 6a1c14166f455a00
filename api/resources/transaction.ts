import { z } from 'zod';
import type { ListedPayment } from '../../db/payments/payments.ts';
import { PaymentId, UserId, WalletId } from '../../domain/ids.ts';
import { INGESTION_OUTCOMES } from '../../domain/outcomes.ts';
import { PROVIDERS } from '../../domain/payment.ts';
import { maskContacts } from '../../domain/privacy.ts';

/** A payment as its merchant sees it. Its fields are also the columns of CSV, in this order. */
export const Transaction = z
  .object({
    id: PaymentId,
    provider: z.enum(PROVIDERS),
    providerPaymentId: z.string().describe("The provider's id of the payment."),
    amountMinorUnits: z.int().describe('What was paid, without a tip.'),
    currency: z.string().describe('ISO 4217.'),
    occurredAt: z.iso.datetime().describe('When the sale was, by its provider.'),
    outcome: z
      .enum(INGESTION_OUTCOMES)
      .describe('What became of the payment; of a duplicate there is no second one.'),
    outcomeReason: z
      .string()
      .nullable()
      .describe('Why the payment credited nothing, or less than its rule gives.'),
    pointsAwarded: z.int().describe('Points that the payment earned.'),
    walletId: WalletId.nullable().describe('The wallet that the points were credited to.'),
    ruleVersion: z.int().nullable().describe('The version of the reward rule that counted.'),
    createdAt: z.iso.datetime().describe('When the payment was stored.'),
    refundedMinorUnits: z.int().describe('What was refunded of the amount so far.'),
    pointsReversed: z.int().describe('Points taken back by refunds.'),
    pointsOwed: z
      .int()
      .describe('Points still to be taken back, from what the consumer gets next.'),
    locationId: z.string().nullable().describe("The provider's id of the shop's location."),
    consumer: z
      .object({
        userId: UserId,
        email: z
          .string()
          .nullable()
          .describe('Masked, except for its first letter and its domain.'),
        phone: z.string().nullable().describe('Masked, except for its last three digits.'),
      })
      .nullable()
      .describe('Who the payment was matched to.'),
  })
  .meta({ id: 'Transaction' });

export const transactionExample = {
  id: 'c8e5b1a2-90d4-4f7b-8a63-2e1f0d9c8b7a',
  provider: PROVIDERS[0],
  providerPaymentId: 'R2B3Z8WMVt3EAmzYWLZvz7Y69EbZY',
  amountMinorUnits: 1255,
  currency: 'EUR',
  occurredAt: '2026-01-15T10:00:00.000Z',
  outcome: 'credited',
  outcomeReason: null,
  pointsAwarded: 100,
  walletId: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  ruleVersion: 3,
  createdAt: '2026-01-15T10:00:02.000Z',
  refundedMinorUnits: 0,
  pointsReversed: 0,
  pointsOwed: 0,
  locationId: 'L88917AVBK2S5',
  consumer: {
    userId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c',
    email: 'a***@example.com',
    phone: '***678',
  },
} as const;

/** Returns what a merchant sees of a payment, the consumer masked. */
export function transactionOf({ consumer, ...payment }: ListedPayment) {
  return {
    ...payment,
    consumer: consumer && { userId: consumer.userId, ...maskContacts(consumer) },
    occurredAt: payment.occurredAt.toISOString(),
    createdAt: payment.createdAt.toISOString(),
  };
}
