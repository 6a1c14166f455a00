import { z } from 'zod';
import type { Db } from '../../../db/connection.ts';
import { findByAmount, findByContact } from '../../../db/payments/customer-search.ts';
import { listFiltered } from '../../../db/payments/filtered-list.ts';
import * as listing from '../../../db/redemptions/listing.ts';
import { findSought } from '../../../db/tenants/consumers.ts';
import type { Tenant } from '../../../db/tenants/tenants.ts';
import {
  type CustomerQuery,
  isGuessable,
  READ_AS,
  readCustomerQuery,
} from '../../../domain/customer-query.ts';
import { countUnknown, requireNoGuessing } from '../../http/access/code-guesses.ts';
import type { Deps } from '../../http/deps.ts';
import { route } from '../../http/route.ts';
import { ConsumerSchema, consumerAnswerOf, consumerExample } from '../../resources/consumer.ts';
import { Transaction, transactionOf } from '../../resources/transaction.ts';
import { ShopRedemptionSchema, shopRedemptionAnswerOf } from './redemptions.ts';

const MAX_TEXT_LENGTH = 320;
/** A merchant knows what they look for, and would not read more. */
const MOST_FOUND = 20;

const FoundSchema = z
  .object({
    readAs: z.array(z.enum(READ_AS)).describe('What the text was read as; empty for nothing.'),
    consumers: z.array(ConsumerSchema).describe('Those of the tenant with exactly that contact.'),
    transactions: z
      .array(Transaction)
      .describe(
        'Sales of that amount in the last 90 days, the sale with that id, and those that named ' +
          'the contact while it was nobody’s, who have no customer yet.',
      ),
    redemptions: z.array(ShopRedemptionSchema).describe('The redemption with that code.'),
  })
  .meta({ id: 'FoundByMerchant' });

// POST, so that no contact is in an address, and in no log of one.
export const searchShop = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/search',
  access: 'TENANT_CONSUMER_VIEW',
  limit: 'lookups',
  tag: 'Merchant',
  summary: 'Find a customer, a sale or a code by what somebody says',
  description:
    'A whole e-mail, phone or member number, a code, an amount such as `12.50`, or the id of a ' +
    'payment at its provider: exactly, twenty of each at most. Whoever is no consumer of the ' +
    'tenant is not found. Contacts and codes that are unknown count as unknown codes.',
  body: z.object({
    text: z.string().trim().min(1).max(MAX_TEXT_LENGTH).describe('What somebody says, as it is.'),
  }),
  response: FoundSchema,
  examples: {
    body: { text: 'ada@example.com' },
    response: {
      readAs: ['email'],
      consumers: [consumerExample],
      transactions: [],
      redemptions: [],
    },
  },

  async handle({ tenant, user, body: { text }, db, afterwards, codes, contactFingerprints }) {
    await requireNoGuessing(db, user.id);
    const query = readCustomerQuery(text, tenant);
    const consumers = await findSought(db, tenant.id, { ...query, limit: MOST_FOUND });
    const transactions = await findSales(db, tenant, { query, contactFingerprints });
    const redemptions =
      query.code === null ? [] : await listing.findByCode(db, tenant.id, codes.hmacsOf(query.code));
    const isFound = [consumers, transactions, redemptions].some(({ length }) => length > 0);
    if (!isFound && isGuessable(query)) {
      const guess = { userId: user.id, tenantId: tenant.id, text: `search ${text}` };
      afterwards((available) => countUnknown(available, guess));
    }
    return {
      readAs: READ_AS.filter((name) => query[name] !== null),
      consumers: consumers.map(consumerAnswerOf),
      transactions: transactions.map(transactionOf),
      redemptions: redemptions.map(shopRedemptionAnswerOf),
    };
  },
});

/** Finds sales by all that the text may say of them. */
async function findSales(
  db: Db,
  { id: tenantId, currency }: Tenant,
  { query, contactFingerprints }: { query: CustomerQuery } & Pick<Deps, 'contactFingerprints'>,
) {
  const { amount, paymentId: providerPaymentId, email, phone } = query;
  const limit = MOST_FOUND;
  const contact = email ?? phone;
  return [
    ...(contact === null
      ? []
      : await findByContact(db, tenantId, { fingerprints: contactFingerprints(contact), limit })),
    ...(providerPaymentId === null
      ? []
      : await listFiltered(db, tenantId, { providerPaymentId, limit })),
    ...(amount === null || currency === null
      ? []
      : await findByAmount(db, tenantId, { amount, currency, limit })),
  ];
}
