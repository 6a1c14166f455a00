import { z } from 'zod';
import * as payments from '../../../db/payments/payments.ts';
import { Refusal } from '../../../domain/errors.ts';
import { explainPayment } from '../../../domain/explanation.ts';
import { PaymentId, UserId, WalletId } from '../../../domain/ids.ts';
import { INGESTION_OUTCOMES, PROVIDERS } from '../../../domain/payment.ts';
import { maskContacts } from '../../../domain/privacy.ts';
import { pageCursor, pageLimit, readPage } from '../../http/pagination.ts';
import { route } from '../../http/route.ts';
import {
  DecisionSchema,
  decidedPayment,
  decisionExample,
  stepsExample,
} from '../decision-schema.ts';

const Transaction = z
  .object({
    id: PaymentId,
    provider: z.enum(PROVIDERS),
    providerPaymentId: z.string(),
    amountMinorUnits: z.int(),
    currency: z.string(),
    occurredAt: z.iso.datetime(),
    outcome: z.enum(INGESTION_OUTCOMES),
    outcomeReason: z
      .string()
      .nullable()
      .describe('Why the payment credited nothing, or less than its rule gives.'),
    pointsAwarded: z.int(),
    refundedMinorUnits: z.int().describe('What was refunded of the amount so far.'),
    pointsReversed: z.int().describe('Points taken back by refunds.'),
    locationId: z.string().nullable().describe("The provider's id of the shop's location."),
    consumer: z
      .object({ userId: UserId, email: z.string().nullable(), phone: z.string().nullable() })
      .nullable()
      .describe('Who the payment was matched to, masked as in the list of consumers.'),
    walletId: WalletId.nullable(),
    ruleVersion: z.int().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Transaction' });

const TransactionExplanation = z
  .object({
    transactionId: PaymentId,
    outcome: z.enum(INGESTION_OUTCOMES),
    outcomeReason: z.string().nullable(),
    pointsAwarded: z.int(),
    ruleVersion: z.int().nullable(),
    summary: z.string().describe('The outcome in a sentence.'),
    steps: z
      .array(z.string())
      .describe('How the outcome was reached, with the values of the formula.'),
    decision: DecisionSchema,
  })
  .meta({ id: 'TransactionExplanation' });

const example = {
  id: 'c8e5b1a2-90d4-4f7b-8a63-2e1f0d9c8b7a',
  provider: 'alpha',
  providerPaymentId: 'R2B3Z8WMVt3EAmzYWLZvz7Y69EbZY',
  amountMinorUnits: 1255,
  currency: 'EUR',
  occurredAt: '2026-01-15T10:00:00.000Z',
  outcome: 'credited',
  outcomeReason: null,
  pointsAwarded: 100,
  refundedMinorUnits: 0,
  pointsReversed: 0,
  locationId: 'L88917AVBK2S5',
  consumer: {
    userId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c',
    email: 'a***@example.com',
    phone: '***678',
  },
  walletId: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  ruleVersion: 3,
  createdAt: '2026-01-15T10:00:02.000Z',
} as const;

/** Where a page starts: after a payment. */
const Position = z.tuple([z.literal('payment'), PaymentId]);

export const listTransactions = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/transactions',
  access: 'TENANT_ANALYTICS_VIEW',
  tag: 'Merchant',
  summary: 'List the ingested payments of the tenant, newest first',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(Transaction),
  examples: { response: [example] },

  handle({ tenant, query, db }) {
    const after = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => payments.listOfTenant(db, tenant.id, { limit, after }),
      show: ({ consumer, ...payment }) => ({
        ...payment,
        consumer: consumer && { userId: consumer.userId, ...maskContacts(consumer) },
        occurredAt: payment.occurredAt.toISOString(),
        createdAt: payment.createdAt.toISOString(),
      }),
      position: ({ id }) => ['payment', id],
    });
  },
});

export const explainTransaction = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/transactions/:transactionId/explain',
  access: 'TENANT_ANALYTICS_VIEW',
  tag: 'Merchant',
  summary: 'Explain what a payment earned, or why it earned nothing',
  description: 'In words, and as the decision recorded when the payment was ingested.',
  refusals: ['NOT_FOUND'],
  response: TransactionExplanation,
  examples: {
    response: {
      transactionId: example.id,
      outcome: 'credited',
      outcomeReason: null,
      pointsAwarded: 100,
      ruleVersion: 3,
      summary: '100 points were credited.',
      steps: stepsExample,
      decision: decisionExample,
    },
  },

  async handle({ tenant, params, db }) {
    const payment = await payments.find(db, tenant.id, params.transactionId);
    if (payment === undefined)
      throw new Refusal('NOT_FOUND', 'There is no such transaction. Check its id.');
    return {
      ...payment,
      ...explainPayment(decidedPayment(payment), 'merchant'),
      transactionId: payment.id,
    };
  },
});
