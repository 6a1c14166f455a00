import { z } from 'zod';
import * as wallets from '../../../db/ledger/wallets.ts';
import { listFiltered } from '../../../db/payments/filtered-list.ts';
import * as listing from '../../../db/redemptions/listing.ts';
import * as consumers from '../../../db/tenants/consumers.ts';
import { Refusal } from '../../../domain/errors.ts';
import { UserId, WalletId } from '../../../domain/ids.ts';
import { maskContacts } from '../../../domain/privacy.ts';
import { USUAL_MOVEMENTS } from '../../../domain/unusual.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { ABOUT_CSV, csvAnswer, csvParameters } from '../../http/replies/table-answer.ts';
import { route } from '../../http/route.ts';
import { customerColumns } from '../../resources/table-columns.ts';
import { Transaction, transactionExample, transactionOf } from '../../resources/transaction.ts';
import { WalletSchema, walletAnswerOf, walletExample } from '../../resources/wallet.ts';
import {
  ShopRedemptionSchema,
  shopRedemptionAnswerOf,
  shopRedemptionExample,
} from './redemptions.ts';

const MASKED_EMAIL = 'Masked except for its first letter and its domain.';
const MASKED_PHONE = 'Masked except for its last three digits.';

const ConsumerSchema = z
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

const ConsumerDetail = z
  .object({
    userId: UserId,
    email: z.string().nullable().describe(MASKED_EMAIL),
    phone: z.string().nullable().describe(MASKED_PHONE),
    wallet: WalletSchema.describe('The wallet at this tenant.'),
    transactions: z.array(Transaction).describe('The last 20 sales to the consumer.'),
    redemptions: z.array(ShopRedemptionSchema).describe('The last 20 that were issued.'),
  })
  .meta({ id: 'ConsumerDetail' });

const example = {
  userId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c',
  walletId: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  email: 'a***@example.com',
  phone: '***678',
  balance: 1250,
  status: 'active',
  lastActivityAt: '2026-01-15T10:00:02.000Z',
} as const;

/** A filter that is there or is not. */
const flag = () => z.literal('true').optional();

/** Where a page starts: after a wallet. */
const Position = z.tuple([z.literal('wallet'), WalletId]);

export const listConsumers = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/consumers',
  access: 'TENANT_CONSUMER_VIEW',
  csv: true,
  tag: 'Merchant',
  summary: 'List the consumers of the tenant, newest wallet first',
  description: ABOUT_CSV,
  query: z.object({
    ...csvParameters,
    limit: pageLimit(50),
    cursor: pageCursor(Position),
    owes: flag().describe('Only those who owe points for refunded purchases.'),
    unusual: flag().describe(
      `Only those with more than ${USUAL_MOVEMENTS} sales that earned points and codes within 24 ` +
        'hours, lately.',
    ),
  }),
  response: z.array(ConsumerSchema),
  examples: { response: [example] },

  async handle({ tenant, query, db, ...request }) {
    const which = { owes: query.owes === 'true', unusual: query.unusual === 'true' };
    const read = (limit: number, after: WalletId | undefined) =>
      consumers.listOfTenant(db, tenant.id, { limit, after, ...which });
    if (request.wantsCsv) {
      const { language, now } = request;
      return csvAnswer<consumers.Consumer>(
        { ...query, language, tenant, now },
        {
          name: 'customers',
          columns: (words) => customerColumns(words, tenant.currency),
          row: ConsumerSchema,
          read: (most, last) => read(most, last?.walletId),
          show: consumerOf,
        },
      );
    }
    return readPage(query.limit, {
      read: (limit) => read(limit, query.cursor?.[1]),
      show: consumerOf,
      position: ({ walletId }) => ['wallet', walletId],
    });
  },
});

function consumerOf(consumer: consumers.Consumer) {
  return {
    ...consumer,
    ...maskContacts(consumer),
    lastActivityAt: consumer.lastActivityAt?.toISOString() ?? null,
  };
}

/** How much of a consumer is shown at once. The lists of the tenant have the rest. */
const LATEST = 20;

export const showConsumer = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/consumers/:userId',
  access: 'TENANT_CONSUMER_VIEW',
  tag: 'Merchant',
  summary: 'Show a consumer of the tenant with wallet, latest transactions and redemptions',
  description: 'A consumer has a wallet at the tenant; anybody else is not found.',
  refusals: ['NOT_FOUND'],
  response: ConsumerDetail,
  examples: {
    response: {
      userId: example.userId,
      email: example.email,
      phone: example.phone,
      wallet: walletExample,
      transactions: [transactionExample],
      redemptions: [shopRedemptionExample],
    },
  },

  async handle({ tenant, params: { userId }, db, settings }) {
    const consumer = await consumers.find(db, tenant.id, userId);
    const wallet = await wallets.findOfOwner(db, { tenantId: tenant.id, userId });
    if (consumer === undefined || wallet === undefined) {
      throw new Refusal('NOT_FOUND', 'There is no such consumer here. Check the id.');
    }
    const latest = { userId, limit: LATEST };
    const transactions = await listFiltered(db, tenant.id, latest);
    const redemptions = await listing.listOfTenant(db, tenant.id, latest);
    return {
      userId,
      ...maskContacts(consumer),
      wallet: walletAnswerOf(wallet, settings),
      transactions: transactions.map(transactionOf),
      redemptions: redemptions.map(shopRedemptionAnswerOf),
    };
  },
});
