import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doWork } from '../../../activities/due-work/worker.ts';
import { ingestListedPayments } from '../../../activities/ingestion/decide/ingest-payments.ts';
import { ingestEvents } from '../../../activities/ingestion/events/ingest-events.ts';
import { matchSignup } from '../../../activities/ingestion/revise/signups.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import type { TenantId, UserId } from '../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import { createMetrics } from '../../../gateways/telemetry/metrics.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  required,
  storedEvents,
  testPolicy,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import {
  type ExpiredCodes,
  MIN_SPEND,
  Model,
  RATE,
  type Report,
  refundOf,
  type Sale,
} from '../../support/points/ingestion-model.ts';
import {
  aRedemption,
  expiresIn,
  type Issued,
  testCodes,
} from '../../support/points/redemptions.ts';
import { eventRows } from '../../support/providers/events.ts';

// Histories of reports, sign-ups and codes, of which the service must make what the model makes:
// for every order, every split into batches, and both ways of delivery.

const PEOPLE = ['ada', 'bob', 'carol', 'stranger'] as const;

const someSale = fc.record({
  person: fc.constantFrom(...PEOPLE, 'ada' as const, 'ada' as const, 'carol' as const),
  amount: fc.oneof(fc.constantFrom(0, 1, 9, 33, 1_000), fc.integer({ min: 50, max: 10_000 })),
});
const someReport = fc.record({
  sale: fc.nat(7),
  state: fc.constantFrom('settled', 'settled', 'settled', 'settled', 'pending', 'voided'),
  isNamed: fc.constantFrom(true, true, false),
  refundedShare: fc.constantFrom<number>(0, 0, 0, 0.3, 1, 1.2),
  time: fc.nat(4),
} satisfies { [Key in keyof Report]: fc.Arbitrary<Report[Key]> });
const someone = fc.constantFrom('ada' as const, 'ada' as const, 'bob' as const, 'carol' as const);
const policy = fc.constantFrom<ExpiredCodes>('refund', 'refund', 'forfeit');
const kind = <K extends string>(name: K) => fc.constant(name);
const reports = fc.record({
  kind: kind('reports'),
  way: fc.constantFrom('webhook' as const, 'list' as const),
  reports: fc.array(someReport, { minLength: 1, maxLength: 4 }),
  isRepeated: fc.boolean(),
});
const confirm = fc.record({
  kind: kind('confirm'),
  person: someone,
  share: fc.constantFrom(1, 1, 1, 0.5),
});
const someStep = fc.oneof(
  { weight: 5, arbitrary: reports },
  { weight: 3, arbitrary: confirm },
  { weight: 1, arbitrary: fc.record({ kind: kind('sign up') }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('use'), nth: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('expire'), nth: fc.nat(4), policy }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('expire all'), policy }) },
);
const someHistory = fc.record({
  sales: fc.array(someSale, { minLength: 8, maxLength: 8 }),
  steps: fc.array(someStep, { minLength: 15, maxLength: 30 }),
});
type Step = typeof someStep extends fc.Arbitrary<infer S> ? S : never;

/** Reports of later steps are mostly newer, but not always. */
function later(step: Step, nth: number): Step {
  if (step.kind !== 'reports') return step;
  return {
    ...step,
    reports: step.reports.map((report) => ({ ...report, time: report.time + nth })),
  };
}

type Shop = {
  tenantId: TenantId;
  merchantId: string;
  emails: Record<string, string>;
  users: Map<string, UserId>;
  issued: Issued[];
  operatorId: UserId;
};
const database = await useDatabase();
const { db } = database;

async function aShop(): Promise<Shop> {
  const run = randomUUID();
  const tenantId = await aTenant(db);
  const merchantId = `M-${run}`;
  await anAlphaConnection(db, { tenantId, merchantId });
  await aRule(db, tenantId, { conversionRate: RATE.text, minSpendMinorUnits: MIN_SPEND });
  const emails = Object.fromEntries(PEOPLE.map((name) => [name, `${name}-${run}@example.com`]));
  const users = new Map<string, UserId>();
  for (const name of ['ada', 'bob'])
    users.set(name, await aUser(db, { email: emails[name] ?? '' }));
  const operatorId = await aUser(db, { role: 'pos_operator' });
  return { tenantId, merchantId, emails, users, issued: [], operatorId };
}

async function stateOf({ tenantId, users }: Shop) {
  const wallets = await db('wallets').where({ tenantId }).select('userId', 'balance');
  const held = wallets.map(({ userId, balance }) => [
    [...users].find(([, id]) => id === userId)?.[0] ?? userId,
    balance,
  ]);
  const rows = await db('payments').where({ tenantId });
  const sales = rows.map((row) => [
    row.providerPaymentId,
    [row.refundedMinorUnits, row.pointsAwarded, row.pointsReversed, row.pointsOwed],
  ]);
  return {
    balances: { ada: 0, bob: 0, carol: 0, ...Object.fromEntries(held) },
    sales: Object.fromEntries(sales),
  };
}

const at = (time: number) => new Date(Date.parse('2026-01-15T10:00:02.100Z') + time * 1_000);

/** Stores reports as webhook events, and returns them in the order of ingestion. */
async function deliver(shop: Shop, its: readonly Report[], sales: readonly Sale[]) {
  const bodies = its.map((report) => {
    const sale = required(sales[report.sale]);
    const refunded = refundOf(report, sale);
    return anAlphaEvent(shop.merchantId, {
      id: `P${report.sale}`,
      amount: sale.amount,
      status: report.state === 'pending' ? 'APPROVED' : 'COMPLETED',
      updatedAt: at(report.time),
      ...(report.isNamed ? { email: shop.emails[sale.person] ?? '' } : {}),
      ...(refunded > 0 ? { refunded } : {}),
    });
  });
  const ids = await storedEvents(db, shop.merchantId, bodies);
  const events = ids.map((id, index) => ({ id, report: its[index] }));
  events.sort((one, other) => (one.id < other.id ? -1 : 1));
  return { ids, order: events.flatMap(({ report }) => report ?? []) };
}

function listed(shop: Shop, report: Report, sale: Sale): NormalizedPayment {
  return {
    provider: 'alpha',
    providerPaymentId: `P${report.sale}`,
    state: report.state,
    amountMinorUnits: sale.amount,
    tipMinorUnits: 0,
    refundedMinorUnits: report.state === 'voided' ? 0 : refundOf(report, sale),
    currency: 'EUR',
    occurredAt: at(0),
    changedAt: at(report.time),
    locationId: 'LOC_1',
    providerCustomerId: null,
    email: report.isNamed ? (shop.emails[sale.person] ?? null) : null,
    phone: null,
  };
}

const log = createLogger({ level: 'silent', service: 'test' });
const signupMatching = matchSignup({
  db,
  ingestPolicy: testPolicy,
  metrics: createMetrics('worker'),
});

async function ingest(
  shop: Shop,
  model: Model,
  { way, reports: its, isRepeated }: Extract<Step, { kind: 'reports' }>,
  sales: readonly Sale[],
): Promise<string[]> {
  const times = isRepeated ? 2 : 1;
  if (way === 'webhook') {
    const { ids, order } = await deliver(shop, its, sales);
    for (let n = 0; n < times; n++) await ingestEvents(db, ids, new Map(), testPolicy);
    const rows = await eventRows(db).whereIn('id', ids).orderBy('id');
    const expected = model.ingest(order);
    expect(rows.map(({ outcome }) => outcome)).toEqual(expected);
    return expected;
  }
  const items = its.map((report) => {
    const payment = listed(shop, report, required(sales[report.sale]));
    return { tenantId: shop.tenantId, payment };
  });
  for (let n = 0; n < times; n++) await ingestListedPayments(db, items, testPolicy);
  return model.ingest(its);
}

/** One of the open codes, as the model and the service know it. */
function some(model: Model, issued: readonly Issued[], nth: number) {
  const open = model.codes.flatMap((code, index) => (code.isOpen ? [index] : []));
  const index = open[nth % Math.max(1, open.length)] ?? -1;
  return [model.codes[index], issued[index]] as const;
}

/** Takes a step with the service and with the model; returns what it has seen. */
async function take(shop: Shop, model: Model, step: Step, sales: readonly Sale[]) {
  const { tenantId, users, issued } = shop;
  switch (step.kind) {
    case 'reports':
      return ingest(shop, model, step, sales);
    case 'sign up': {
      if (users.has('carol')) return [];
      const id = await aUser(db, { email: required(shop.emails.carol) });
      users.set('carol', id);
      await doWork({ db, log }, signupMatching);
      model.signUp('carol');
      return [step.kind];
    }
    case 'confirm': {
      const points = model.confirm(step.person, step.share);
      if (points === 0) return [];
      const userId = required(users.get(step.person));
      const { id: walletId } = await db('wallets').where({ tenantId, userId }).first();
      issued.push(await aRedemption(db, { walletId, points }));
      return [step.kind];
    }
    case 'use': {
      const [code, its] = some(model, issued, step.nth);
      if (code === undefined || its === undefined) return [];
      const hmacs = testCodes.hmacsOf(its.code);
      const { operatorId } = shop;
      await db.transaction((tx) => redemptions.burn(tx, { tenantId, hmacs, operatorId }));
      model.use(code);
      return [step.kind];
    }
    case 'expire': {
      const [code, its] = some(model, issued, step.nth);
      if (code === undefined || its === undefined) return [];
      await expiresIn(db, [its.id], -1);
      await lifecycle.expireOne(db, its.id, step.policy);
      model.expire(code, step.policy);
      return [`${step.kind} ${step.policy}`];
    }
    case 'expire all': {
      const open = issued.filter((_, nth) => model.codes[nth]?.isOpen);
      await expiresIn(
        db,
        open.map(({ id }) => id),
        -1,
      );
      await lifecycle.expireOverdue(db, step.policy, 100);
      for (const code of model.codes) model.expire(code, step.policy);
      return open.length === 0 ? [] : [`${step.kind} ${step.policy}`];
    }
  }
}

const aReport = (some: Partial<Report>): Step => {
  const sold = { sale: 0, state: 'settled', isNamed: true, refundedShare: 0, time: 0 } as const;
  return { kind: 'reports', way: 'list', isRepeated: true, reports: [{ ...sold, ...some }] };
};
/** What random histories need luck for: refunds that meet points in codes, and every expiry. */
const CODES_AND_REFUNDS: typeof someHistory extends fc.Arbitrary<infer H> ? H : never = {
  sales: Array.from({ length: 8 }, () => ({ person: 'ada' as const, amount: 1_000 })),
  steps: [
    aReport({}),
    { kind: 'confirm', person: 'ada', share: 1 },
    aReport({ refundedShare: 0.3 }),
    { kind: 'expire', nth: 0, policy: 'refund' },
    { kind: 'confirm', person: 'ada', share: 1 },
    aReport({ refundedShare: 1 }),
    { kind: 'use', nth: 0 },
    aReport({ sale: 1 }),
    { kind: 'confirm', person: 'ada', share: 1 },
    aReport({ sale: 1, state: 'voided' }),
    { kind: 'expire all', policy: 'forfeit' },
    aReport({ sale: 1, refundedShare: 0 }),
    aReport({ sale: 2 }),
    { kind: 'confirm', person: 'ada', share: 0.5 },
    { kind: 'expire', nth: 3, policy: 'forfeit' },
    { kind: 'confirm', person: 'ada', share: 1 },
    { kind: 'expire all', policy: 'refund' },
  ],
};

describe('points', () => {
  it('agree with the model for any history of reports, sign-ups and codes', async () => {
    const seen = new Set<string>();
    const property = fc.asyncProperty(someHistory, async ({ sales, steps }) => {
      const shop = await aShop();
      const model = new Model(sales);
      for (const step of steps.map(later)) {
        for (const each of await take(shop, model, step, sales)) seen.add(each);
        expect(await stateOf(shop)).toEqual({ balances: model.balances(), sales: model.sales() });
      }
      const { rows } = await db.raw<{ rows: { cause: string }[] }>(
        `select distinct r ->> 'cause' as cause
         from payments, jsonb_array_elements(coalesce(decision -> 'reversals', '[]')) r
         where tenant_id = :tenantId`,
        { tenantId: shop.tenantId },
      );
      for (const { cause } of rows) seen.add(cause);
    });
    await fc.assert(property, { numRuns: 60, endOnFailure: true, examples: [[CODES_AND_REFUNDS]] });
    expect([...seen].sort()).toEqual([
      'confirm',
      'credited',
      'debt_paid',
      'duplicate',
      'expire all forfeit',
      'expire all refund',
      'expire forfeit',
      'expire refund',
      'ignored',
      'refund',
      'refund_failed',
      'refund_reversed',
      'sign up',
      'stored_anonymous',
      'use',
    ]);
  }, 240_000);
});
