import { z } from 'zod';
import type { Db } from '../../../db/connection.ts';
import { listFiltered } from '../../../db/payments/filtered-list.ts';
import * as payments from '../../../db/payments/payments.ts';
import { Refusal } from '../../../domain/errors.ts';
import { PaymentId, type TenantId, UserId } from '../../../domain/ids.ts';
import { INGESTION_OUTCOMES } from '../../../domain/outcomes.ts';
import { explainPayment } from '../../../domain/texts/explanation.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { csvAnswer, csvParameters } from '../../http/replies/table-answer.ts';
import { timeParameter } from '../../http/requests/filters.ts';
import { route } from '../../http/route.ts';
import {
  CodedExplanation,
  codedExample,
  DecisionSchema,
  decidedPayment,
  decisionExample,
  stepsExample,
} from '../../resources/decision.ts';
import { saleColumns } from '../../resources/table-columns.ts';
import { Transaction, transactionExample, transactionOf } from '../../resources/transaction.ts';

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
    coded: CodedExplanation,
    decision: DecisionSchema,
  })
  .meta({ id: 'TransactionExplanation' });

/** Where a page starts: after a payment. */
const Position = z.tuple([z.literal('payment'), PaymentId]);

const MAX_ID_LENGTH = 200;

/** What a list of payments can be narrowed down to. */
export const TransactionFilters = z.object({
  outcome: z.enum(INGESTION_OUTCOMES).optional().describe('Payments of this outcome.'),
  from: timeParameter().optional().describe('Sales of this time and later.'),
  to: timeParameter().optional().describe('Sales before this time.'),
  userId: UserId.optional().describe('Payments that were matched to this consumer.'),
  q: z
    .string()
    .min(1)
    .max(MAX_ID_LENGTH)
    .optional()
    .describe("The provider's id of the payment, as a whole."),
});

export const listTransactions = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/transactions',
  access: 'TENANT_ANALYTICS_VIEW',
  csv: true,
  tag: 'Merchant',
  summary: 'List the ingested payments of the tenant, newest first',
  description:
    'Filters narrow the list down together. Without one, the payments that were stored last come ' +
    'first; with one, those that occurred last. With `Accept: text/csv` the response is all of ' +
    'them as CSV, whatever `limit` and `cursor` say: the columns are the fields, in their order, ' +
    'or with `columns=named` those for spreadsheets: names of the language that ' +
    '`Accept-Language` prefers, local times, amounts with decimals, a byte order mark, and in ' +
    'German `;` between cells. An apostrophe is before a text that a spreadsheet would take for ' +
    'a formula. One such request, or one for statistics, is served at a time.',
  query: TransactionFilters.extend({
    ...csvParameters,
    limit: pageLimit(50),
    cursor: pageCursor(Position),
  }),
  response: z.array(Transaction),
  examples: { response: [transactionExample] },

  async handle({ tenant, query, db, ...request }) {
    const { limit, cursor, columns, timeZone, ...filters } = query;
    const read = (most: number, after: PaymentId | undefined) =>
      listOf(db, tenant.id, { ...filters, limit: most, after });
    if (request.wantsCsv) {
      const { language, now } = request;
      const asked = { columns, timeZone, language, tenant, now };
      return csvAnswer<payments.ListedPayment>(asked, {
        name: 'transactions',
        columns: saleColumns,
        row: Transaction,
        read: (most, last) => read(most, last?.id),
        show: transactionOf,
      });
    }
    return readPage(limit, {
      read: (most) => read(most, cursor?.[1]),
      show: transactionOf,
      position: ({ id }) => ['payment', id],
    });
  },
});

type Asked = z.output<typeof TransactionFilters> & {
  limit: number;
  after: PaymentId | undefined;
};

/** The filter that the parameters of a list ask for. */
export function paymentFilterOf({ q, ...filters }: z.output<typeof TransactionFilters>) {
  return { ...filters, providerPaymentId: q };
}

function listOf(db: Db, tenantId: TenantId, { limit, after, ...filters }: Asked) {
  const filter = paymentFilterOf(filters);
  const isNarrowed = Object.values(filter).some((value) => value !== undefined);
  return isNarrowed
    ? listFiltered(db, tenantId, { ...filter, limit, after })
    : payments.listOfTenant(db, tenantId, { limit, after });
}

const NO_TRANSACTION = 'There is no such transaction. Check its id.';

export const showTransaction = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/transactions/:transactionId',
  access: 'TENANT_ANALYTICS_VIEW',
  tag: 'Merchant',
  summary: 'Show a payment',
  refusals: ['NOT_FOUND'],
  response: Transaction,
  examples: { response: transactionExample },

  async handle({ tenant, params, db }) {
    const payment = await payments.findListed(db, tenant.id, params.transactionId);
    if (payment === undefined) throw new Refusal('NOT_FOUND', NO_TRANSACTION);
    return transactionOf(payment);
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
      transactionId: transactionExample.id,
      outcome: 'credited',
      outcomeReason: null,
      pointsAwarded: 100,
      ruleVersion: 3,
      summary: '100 points were credited.',
      steps: stepsExample,
      coded: codedExample,
      decision: decisionExample,
    },
  },

  async handle({ tenant, params, db }) {
    const payment = await payments.find(db, tenant.id, params.transactionId);
    if (payment === undefined) throw new Refusal('NOT_FOUND', NO_TRANSACTION);
    return {
      ...payment,
      ...explainPayment(decidedPayment(payment), 'merchant'),
      transactionId: payment.id,
    };
  },
});
