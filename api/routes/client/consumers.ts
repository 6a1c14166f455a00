import { z } from 'zod';
import { appliesProgrammes, type Db } from '../../../db/connection.ts';
import * as goodwill from '../../../db/goodwill.ts';
import { listOfWallet } from '../../../db/ledger/history.ts';
import { readValidity } from '../../../db/ledger/validity.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import { listFiltered } from '../../../db/payments/filtered-list.ts';
import * as listing from '../../../db/redemptions/listing.ts';
import * as consumers from '../../../db/tenants/consumers.ts';
import * as programmes from '../../../db/tenants/programme.ts';
import * as standings from '../../../db/tenants/standings.ts';
import { Refusal } from '../../../domain/errors.ts';
import { type TenantId, UserId, WalletId } from '../../../domain/ids.ts';
import { maskContacts } from '../../../domain/privacy.ts';
import { USUAL_MOVEMENTS } from '../../../domain/unusual.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { ABOUT_CSV, csvAnswer, csvParameters } from '../../http/replies/table-answer.ts';
import { route } from '../../http/route.ts';
import {
  ConsumerSchema,
  consumerAnswerOf,
  consumerExample,
  MASKED_EMAIL,
  MASKED_PHONE,
  VisitsSchema,
  visitsAnswerOf,
  visitsExample,
} from '../../resources/consumer.ts';
import { GoodwillSchema, goodwillAnswerOf, goodwillExample } from '../../resources/goodwill.ts';
import { customerColumns } from '../../resources/table-columns.ts';
import { Transaction, transactionExample, transactionOf } from '../../resources/transaction.ts';
import { WalletSchema, walletAnswerOf, walletExample } from '../../resources/wallet.ts';
import { entryAnswerOf, entryExample, LedgerEntrySchema } from '../consumer/wallets.ts';
import {
  ShopRedemptionSchema,
  shopRedemptionAnswerOf,
  shopRedemptionExample,
} from './redemptions.ts';

const ConsumerDetail = z
  .object({
    userId: UserId,
    email: z.string().nullable().describe(MASKED_EMAIL),
    phone: z.string().nullable().describe(MASKED_PHONE),
    emailVerified: z.boolean().describe('Whether sales with the e-mail are recognised.'),
    phoneVerified: z.boolean().describe('Whether sales with the phone number are recognised.'),
    wallet: WalletSchema.describe('The wallet at this tenant.'),
    visits: VisitsSchema,
    tier: z.string().nullable().describe('The name of the tier; null for none.'),
    expiring: z
      .object({ points: z.int(), expiresAt: z.iso.datetime() })
      .nullable()
      .describe('What expires next; null if nothing does.'),
    goodwill: GoodwillSchema.nullable().describe('The points that were asked for last.'),
    transactions: z.array(Transaction).describe('The last 20 sales to the consumer.'),
    redemptions: z.array(ShopRedemptionSchema).describe('The last 20 that were issued.'),
  })
  .meta({ id: 'ConsumerDetail' });

/** A filter that is there or is not. */
const flag = () => z.literal('true').optional();

/** Where a page starts: after a wallet. */
const Position = z.tuple([z.literal('wallet'), WalletId]);

/** What a list of consumers can be narrowed down to. */
export const ConsumerFilters = z.object({
  owes: flag().describe('Only those who owe points for refunded purchases.'),
  unusual: flag().describe(
    `Only those with more than ${USUAL_MOVEMENTS} sales that earned points and codes within 24 ` +
      'hours, lately.',
  ),
});

/** The filter that the parameters of a list ask for. */
export function whichOf({ owes, unusual }: z.output<typeof ConsumerFilters>) {
  return { owes: owes === 'true', unusual: unusual === 'true' };
}

export const listConsumers = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/consumers',
  access: 'TENANT_CONSUMER_VIEW',
  csv: true,
  tag: 'Merchant',
  summary: 'List the consumers of the tenant, newest wallet first',
  description: ABOUT_CSV,
  query: ConsumerFilters.extend({
    ...csvParameters,
    limit: pageLimit(50),
    cursor: pageCursor(Position),
  }),
  response: z.array(ConsumerSchema),
  examples: { response: [consumerExample] },

  async handle({ tenant, query, db, ...request }) {
    const which = whichOf(query);
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
          show: consumerAnswerOf,
        },
      );
    }
    return readPage(query.limit, {
      read: (limit) => read(limit, query.cursor?.[1]),
      show: consumerAnswerOf,
      position: ({ walletId }) => ['wallet', walletId],
    });
  },
});

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
      userId: consumerExample.userId,
      email: consumerExample.email,
      phone: consumerExample.phone,
      emailVerified: true,
      phoneVerified: false,
      wallet: walletExample,
      visits: visitsExample,
      tier: 'Silver',
      expiring: { points: 40, expiresAt: '2026-03-31T22:00:00.000Z' },
      goodwill: goodwillExample,
      transactions: [transactionExample],
      redemptions: [shopRedemptionExample],
    },
  },

  async handle({ tenant, params: { userId }, db, settings }) {
    const { consumer, wallet } = await getConsumer(db, tenant.id, userId);
    const { emailVerified, phoneVerified } = consumer;
    const latest = { userId, limit: LATEST };
    const transactions = await listFiltered(db, tenant.id, latest);
    const redemptions = await listing.listOfTenant(db, tenant.id, latest);
    const asked = await goodwill.findLast(db, tenant.id, wallet.id);
    const hasProgramme = tenant.hasProgramme && appliesProgrammes(db);
    return {
      userId,
      ...maskContacts(consumer),
      emailVerified,
      phoneVerified,
      wallet: walletAnswerOf(wallet, settings),
      visits: visitsAnswerOf(await consumers.sumVisits(db, tenant.id, userId)),
      ...(hasProgramme ? await readStanding(db, wallet) : { tier: null, expiring: null }),
      goodwill: asked === undefined ? null : goodwillAnswerOf(asked),
      transactions: transactions.map(transactionOf),
      redemptions: redemptions.map(shopRedemptionAnswerOf),
    };
  },
});

/** Finds a consumer of a tenant with the wallet there. Throws NOT_FOUND. */
async function getConsumer(db: Db, tenantId: TenantId, userId: UserId) {
  const consumer = await consumers.find(db, tenantId, userId);
  const wallet = await wallets.findOfOwner(db, { tenantId, userId });
  if (consumer !== undefined && wallet !== undefined) return { consumer, wallet };
  throw new Refusal('NOT_FOUND', 'There is no such consumer here. Check the id.');
}

/** Reads what the programme of a shop says of a wallet: the tier, and what expires next. */
async function readStanding(db: Db, wallet: wallets.WalletView) {
  const programme = await programmes.findActive(db, wallet.tenantId);
  const own = programme && (await standings.findOwnTier(db, wallet.id, programme));
  const validity = await readValidity(db, wallet);
  const [next] =
    validity?.points.flatMap(({ points, expiresAt }) =>
      expiresAt === null ? [] : { points, expiresAt: expiresAt.toISOString() },
    ) ?? [];
  return { tier: own?.tier?.name ?? null, expiring: next ?? null };
}

/** Where a page starts: below a sequence number of the wallet. */
const Below = z.tuple([z.literal('seq'), z.coerce.number().pipe(z.int())]);

export const listConsumerHistory = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/consumers/:userId/history',
  access: 'TENANT_CONSUMER_VIEW',
  tag: 'Merchant',
  summary: 'List what moved the points of a consumer at the tenant, newest first',
  refusals: ['NOT_FOUND'],
  query: z.object({ limit: pageLimit(20), cursor: pageCursor(Below) }),
  response: z.array(LedgerEntrySchema),
  examples: { response: [entryExample] },

  async handle({ tenant, params: { userId }, query, db }) {
    const { walletId } = (await getConsumer(db, tenant.id, userId)).consumer;
    const before = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => listOfWallet(db, walletId, { limit, before }),
      show: entryAnswerOf,
      position: ({ seq }) => ['seq', String(seq)],
    });
  },
});
