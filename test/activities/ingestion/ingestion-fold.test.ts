import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ingestEvents } from '../../../activities/ingestion/ingest-events.ts';
import { ingestListedPayments } from '../../../activities/ingestion/ingest-payments.ts';
import type { TenantId, UserId } from '../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  storedEvents,
  testPolicy,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

// The model below shares no code with the service: it folds reports into balances and outcomes by
// the documented rules. The service must agree for every split into batches and both ways of
// delivery.

const PEOPLE = ['ada', 'bob', 'stranger'] as const;
const RATE = { text: 0.3, numerator: 3, denominator: 10 };
const MIN_SPEND = 10;

/** A sale, whose amount and customer never change. */
const someSale = fc.record({
  person: fc.constantFrom(...PEOPLE),
  amount: fc.oneof(fc.constantFrom(0, 1, 9, 10, 33), fc.integer({ min: 0, max: 10_000 })),
});
/** One report of a sale. Only reports that name the customer have refunds. */
const someReport = fc.record({
  sale: fc.nat(4),
  isSettled: fc.constantFrom(true, true, true, false),
  isNamed: fc.constantFrom(true, true, false),
  refundedShare: fc.constantFrom(0, 0, 0.3, 0.5, 1, 1.2),
});
const someStep = fc.record({
  way: fc.constantFrom('webhook' as const, 'list' as const),
  reports: fc.array(someReport, { minLength: 1, maxLength: 6 }),
  isRepeated: fc.boolean(),
});
const someHistory = fc.record({
  sales: fc.array(someSale, { minLength: 5, maxLength: 5 }),
  steps: fc.array(someStep, { minLength: 1, maxLength: 5 }),
});
type History = typeof someHistory extends fc.Arbitrary<infer H> ? H : never;
type Sale = History['sales'][number];
type Report = History['steps'][number]['reports'][number];

type SaleState = { isCredited: boolean; refunded: number; earned: number; reversed: number };

/** The documented rules, applied to one history. */
class Model {
  readonly #states = new Map<number, SaleState>();
  readonly #sales: readonly Sale[];

  constructor(sales: readonly Sale[]) {
    this.#sales = sales;
  }

  /** Applies the next report and returns its outcome. */
  apply(report: Report): string {
    const sale = this.#sales[report.sale];
    if (sale === undefined) throw new Error('No such sale.');
    if (!report.isSettled) return 'ignored';
    const state = this.#states.get(report.sale);
    const refunded = Math.max(state?.refunded ?? 0, refundOf(report, sale));
    const isMember = report.isNamed && sale.person !== 'stranger';
    if (state?.isCredited) {
      const reversed = share(state.earned, refunded, sale.amount);
      const isMore = reversed > state.reversed;
      if (isMore) this.#states.set(report.sale, { ...state, refunded, reversed });
      return isMore ? 'refund_reversed' : 'duplicate';
    }
    if (!isMember) {
      if (state !== undefined) return 'duplicate';
      const nothing = { isCredited: false, refunded, earned: 0, reversed: 0 };
      this.#states.set(report.sale, nothing);
      return 'stored_anonymous';
    }
    const { numerator, denominator } = RATE;
    const isEnough = sale.amount >= MIN_SPEND;
    const earned = isEnough ? Math.floor((sale.amount * numerator) / denominator) : 0;
    const reversed = share(earned, refunded, sale.amount);
    this.#states.set(report.sale, { isCredited: true, refunded, earned, reversed });
    return 'credited';
  }

  balances(): Record<string, number> {
    const balances: Record<string, number> = { ada: 0, bob: 0 };
    for (const [index, { earned, reversed }] of this.#states) {
      const person = this.#sales[index]?.person ?? '';
      if (earned > 0) balances[person] = (balances[person] ?? 0) + earned - reversed;
    }
    return balances;
  }
}

const share = (earned: number, refunded: number, paid: number) =>
  paid === 0 ? 0 : Math.floor((earned * Math.min(refunded, paid)) / paid);
const refundOf = ({ isNamed, refundedShare }: Report, { amount }: Sale) =>
  isNamed ? Math.floor(amount * refundedShare) : 0;

type Shop = { tenantId: TenantId; merchantId: string; emails: Record<string, string> };
const database = await useDatabase();
const { db } = database;

async function aShop() {
  const run = randomUUID();
  const tenantId = await aTenant(db);
  const merchantId = `M-${run}`;
  await anAlphaConnection(db, { tenantId, merchantId });
  await aRule(db, tenantId, { conversionRate: RATE.text, minSpendMinorUnits: MIN_SPEND });
  const emails = Object.fromEntries(PEOPLE.map((name) => [name, `${name}-${run}@example.com`]));
  const users = new Map<UserId, string>();
  for (const name of ['ada', 'bob']) {
    users.set(await aUser(db, { email: emails[name] ?? '' }), name);
  }
  const balances = async () => {
    const wallets = await db('wallets').where({ tenantId }).select('userId', 'balance');
    const held = wallets.map(({ userId, balance }) => [users.get(userId) ?? userId, balance]);
    return { ada: 0, bob: 0, ...Object.fromEntries(held) };
  };
  return { tenantId, merchantId, emails, balances };
}

/** Stores reports as webhook events, and returns them in the order of ingestion. */
async function deliver(shop: Shop, reports: readonly Report[], sales: readonly Sale[]) {
  const bodies = reports.map((report) => {
    const sale = sales[report.sale] ?? { person: 'stranger', amount: 0 };
    const refunded = refundOf(report, sale);
    return anAlphaEvent(shop.merchantId, {
      id: `P${report.sale}`,
      amount: sale.amount,
      status: report.isSettled ? 'COMPLETED' : 'APPROVED',
      ...(report.isNamed ? { email: shop.emails[sale.person] ?? '' } : {}),
      ...(refunded > 0 ? { refunded } : {}),
    });
  });
  const ids = await storedEvents(db, shop.merchantId, bodies);
  const events = ids.map((id, index) => ({ id, report: reports[index] }));
  events.sort((one, other) => (one.id < other.id ? -1 : 1));
  return { ids, order: events.flatMap(({ report }) => report ?? []) };
}

function listed(shop: Shop, report: Report, sale: Sale): NormalizedPayment {
  return {
    provider: 'alpha',
    providerPaymentId: `P${report.sale}`,
    state: report.isSettled ? 'settled' : 'pending',
    amountMinorUnits: sale.amount,
    tipMinorUnits: 0,
    refundedMinorUnits: refundOf(report, sale),
    currency: 'EUR',
    occurredAt: new Date('2026-01-15T10:00:00.086Z'),
    changedAt: new Date('2026-01-15T10:00:02.100Z'),
    locationId: 'LOC_1',
    providerCustomerId: null,
    email: report.isNamed ? (shop.emails[sale.person] ?? null) : null,
    phone: null,
  };
}

describe('ingestion', () => {
  it('agrees with the model for reports by webhook or list, once or twice', async () => {
    const seen = new Map<string, number>();
    const property = fc.asyncProperty(someHistory, async ({ sales, steps }) => {
      const shop = await aShop();
      const model = new Model(sales);
      for (const { way, reports, isRepeated } of steps) {
        if (way === 'webhook') {
          const { ids, order } = await deliver(shop, reports, sales);
          await ingestEvents(db, ids, new Map(), testPolicy);
          if (isRepeated) await ingestEvents(db, ids, new Map(), testPolicy);
          const rows = await db('webhook_events').whereIn('id', ids).orderBy('id');
          const expected = order.map((report) => model.apply(report));
          expect(rows.map(({ outcome }) => outcome)).toEqual(expected);
          for (const outcome of expected) seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
        } else {
          const payments = reports.flatMap((report) => {
            const sale = sales[report.sale];
            return sale === undefined ? [] : [listed(shop, report, sale)];
          });
          const items = payments.map((payment) => ({
            tenantId: shop.tenantId,
            tenantCountry: null,
            payment,
          }));
          for (const report of reports) model.apply(report);
          await ingestListedPayments(db, items, testPolicy);
          if (isRepeated) await ingestListedPayments(db, items, testPolicy);
        }
        expect(await shop.balances()).toEqual(model.balances());
      }
    });
    await fc.assert(property, { numRuns: 60 });
    expect([...seen.keys()].sort()).toEqual([
      'credited',
      'duplicate',
      'ignored',
      'refund_reversed',
      'stored_anonymous',
    ]);
  }, 120_000);
});
