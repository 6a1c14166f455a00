import { z } from 'zod';
import { AUDIT_ACTIONS } from '../../../db/audit-log.ts';
import type { Db } from '../../../db/connection.ts';
import { listByProviderId } from '../../../db/payments/trail.ts';
import * as quotedIds from '../../../db/quoted-ids.ts';
import { PaymentId, RedemptionId, TenantId, WalletId } from '../../../domain/ids.ts';
import { PROVIDERS } from '../../../domain/payment.ts';
import { type QuotedId, readQuotedId } from '../../../domain/quoted-id.ts';
import { REDEMPTION_STATUSES } from '../../../domain/redemption.ts';
import type { RedemptionCodes } from '../../../gateways/crypto/redemption-codes.ts';
import { route } from '../../http/route.ts';
import { REWARD_TEXT } from '../../resources/redemption.ts';
import { NamedRewardSchema } from '../../resources/reward.ts';

const MAX_SEARCH_LENGTH = 200;

const owned = {
  tenantId: TenantId,
  tenantName: z.string().describe('Its name.'),
  email: z.string().nullable().describe('Of its consumer.'),
  phone: z.string().nullable().describe('Of its consumer.'),
};

const FoundTransaction = z.object({
  kind: z.literal('transaction').describe('A payment at a shop.'),
  id: PaymentId,
  provider: z.enum(PROVIDERS),
  providerPaymentId: z.string(),
  amountMinorUnits: z.int(),
  currency: z.string(),
  occurredAt: z.iso.datetime(),
  walletId: WalletId.nullable().describe('Null while no consumer is known.'),
  ...owned,
});

const FoundRedemption = z.object({
  kind: z.literal('redemption').describe('A redemption, whatever became of its code.'),
  id: RedemptionId,
  status: z.enum(REDEMPTION_STATUSES),
  cancelled: z.boolean().describe('Whether it was cancelled; it is `expired` then.'),
  discountValueMinorUnits: z.int(),
  currency: z.string().nullable(),
  reward: NamedRewardSchema.nullable().describe(REWARD_TEXT),
  createdAt: z.iso.datetime(),
  walletId: WalletId,
  ...owned,
});

const FoundRequest = z.object({
  kind: z.literal('request').describe('A request to the service.'),
  requestId: z.string().describe('The correlation id, by which the audit log is filtered.'),
  action: z.enum(AUDIT_ACTIONS).describe('The last action of the request.'),
  createdAt: z.iso.datetime(),
  tenantId: TenantId.nullable(),
  tenantName: z.string().nullable().describe('Its name.'),
  actorEmail: z.string().nullable().describe('Of who asked.'),
});

const FoundId = z
  .discriminatedUnion('kind', [FoundTransaction, FoundRedemption, FoundRequest])
  .meta({ id: 'FoundId' });

const example: z.input<typeof FoundId> = {
  kind: 'redemption',
  id: '1d7f0a5b-7c21-4a53-9a11-6f9d4f635c0e',
  status: 'used',
  cancelled: false,
  discountValueMinorUnits: 500,
  currency: 'EUR',
  reward: null,
  createdAt: '2026-01-15T10:00:02.000Z',
  walletId: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  tenantId: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
  tenantName: 'Corner Café',
  email: 'ada@example.com',
  phone: null,
};

export const searchIds = route({
  method: 'GET',
  path: '/admin/search',
  access: 'ADMIN_USER_SEARCH',
  tag: 'Admin',
  summary: 'Find what an id or a code is of',
  description:
    'Finds a redemption by its code or id, a transaction by its id or that of the payment at its ' +
    'provider, and what a request did by its correlation id, or the id that the service gave it. ' +
    'Only whole ids are found. Of payments that have one id at several providers or tenants, the ' +
    'twenty oldest are.',
  query: z.object({
    q: z.string().trim().min(1).max(MAX_SEARCH_LENGTH).describe('The id or the code.'),
  }),
  response: z.array(FoundId),
  examples: { query: { q: '9F86D081884C' }, response: [example] },

  async handle({ query: { q }, db, codes }) {
    const quoted = readQuotedId(q);
    return [
      ...(await findTransactions(db, quoted)),
      ...(await findRedemptions(db, quoted, codes)),
      ...(await findRequests(db, quoted)),
    ];
  },
});

async function findTransactions(db: Db, { rowId, paymentId }: QuotedId) {
  const ids = paymentId === null ? [] : await listByProviderId(db, paymentId);
  if (rowId !== null) ids.push(PaymentId.parse(rowId));
  const found = ids.length === 0 ? [] : await quotedIds.findPayments(db, ids);
  return found.map(({ occurredAt, ...payment }) => ({
    kind: 'transaction' as const,
    ...payment,
    occurredAt: occurredAt.toISOString(),
  }));
}

async function findRedemptions(db: Db, { rowId, code }: QuotedId, codes: RedemptionCodes) {
  if (rowId === null && code === null) return [];
  const found = await quotedIds.findRedemptions(db, {
    id: rowId === null ? null : RedemptionId.parse(rowId),
    hmacs: code === null ? [] : codes.hmacsOf(code),
  });
  return found.map(({ createdAt, ...redemption }) => ({
    kind: 'redemption' as const,
    ...redemption,
    createdAt: createdAt.toISOString(),
  }));
}

async function findRequests(db: Db, { rowId, requestId }: QuotedId) {
  if (requestId === null) return [];
  const found = await quotedIds.findRequest(db, { requestId, rowId });
  return found === undefined
    ? []
    : [{ kind: 'request' as const, ...found, createdAt: found.createdAt.toISOString() }];
}
