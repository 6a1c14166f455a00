import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../db/new-id.ts';
import { type NewPayment, storeBatch } from '../../../db/payments/batch-write.ts';
import * as debts from '../../../db/payments/debts.ts';
import { readFacts } from '../../../db/payments/facts.ts';
import * as payments from '../../../db/payments/payments.ts';
import * as revisions from '../../../db/payments/revisions.ts';
import { PaymentId, type TenantId, type UserId } from '../../../domain/ids.ts';
import type { Decision, DecisionRecord, Facts } from '../../../domain/ingestion.ts';
import { OUTCOME_REASONS } from '../../../domain/texts/coded-sentence.ts';
import { explainPayment } from '../../../domain/texts/explanation.ts';
import { aRule, aTenant, aUser, aWallet, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { decideSale, people, reversals, rules, sales } from '../../support/points/decisions.ts';

const database = await useDatabase();
const { db } = database;

/** Tenants with every kind of rule, two versions each, and one without a rule. */
const shops: { tenantId: TenantId; rule: Facts['rule'] }[] = [];
let userId: UserId;
beforeAll(async () => {
  userId = await aUser(db);
  const terms = fc.sample(rules, { numRuns: 25, seed: 7 });
  for (const its of [null, ...terms]) {
    const tenantId = await aTenant(db);
    await aWallet(db, { userId, tenantId });
    if (its !== null) await aRule(db, tenantId);
    if (its !== null) await aRule(db, tenantId, its);
    shops.push({ tenantId, rule: await ruleOf(tenantId) });
  }
});

async function ruleOf(tenantId: TenantId): Promise<Facts['rule']> {
  const question = { tenantId, provider: 'alpha', providerPaymentId: 'P', email: null } as const;
  const [facts] = await db.transaction((tx) => readFacts(tx, [{ ...question, phone: null }]));
  return required(facts).rule;
}

const decided = fc
  .tuple(fc.nat(25), sales, people, fc.boolean())
  .map(([nth, sale, known, isLate]) => {
    const shop = required(shops[nth]);
    return { ...shop, ...decideSale(sale, known, { rule: shop.rule, isLate }) };
  });
type Decided = typeof decided extends fc.Arbitrary<infer T> ? T : never;

const asStored = ({ tenantId, payment, decision }: Decided): NewPayment => ({
  ...payment,
  id: PaymentId.parse(newId()),
  providerPaymentId: randomUUID(),
  tenantId,
  outcome: decision.outcome,
  reason: decision.reason,
  userId: decision.userId === null ? null : userId,
  walletId: null,
  isTold: false,
  ruleVersion: decision.ruleVersion,
  points: decision.points,
  pointsReversed: decision.reversal?.points ?? 0,
  refundedAsOf: payment.changedAt,
  decision: decision.record,
  emailFingerprint: null,
  phoneFingerprint: null,
});

async function stored(some: readonly Decided[]): Promise<NewPayment[]> {
  return store(some.map(asStored));
}

/** Stores decisions that are changed later, whose entries are beside the point. */
async function storedWithoutPoints(some: readonly Decided[]): Promise<NewPayment[]> {
  return store(some.map((each) => ({ ...asStored(each), points: 0, pointsReversed: 0 })));
}

async function store(rows: NewPayment[]): Promise<NewPayment[]> {
  await db.transaction((tx) => storeBatch(tx, rows, []));
  return rows;
}

async function read({ tenantId, id }: Pick<NewPayment, 'tenantId' | 'id'>) {
  return required(await payments.find(db, tenantId, id));
}

const explained = ({ outcome, reason, points }: Decision, record: DecisionRecord) => {
  const known = OUTCOME_REASONS.find((each) => each === reason) ?? null;
  const its = { outcome, reason: known, points, record };
  return [explainPayment(its, 'merchant'), explainPayment(its, 'consumer')];
};
const some = (count: number, seed: number) => fc.sample(decided, { numRuns: count, seed });

describe('the stored decision', () => {
  it('is read as it was made, in every explanation word for word', async () => {
    // Some that are always the same, among them every reason, and some that never are.
    const everyReason = some(800, 1);
    const made = [...everyReason, ...some(200, Date.now())];
    const rows = await stored(made);
    for (const [nth, row] of rows.entries()) {
      const { decision } = required(made[nth]);
      const { decision: record, ruleVersion } = await read(row);
      expect(record).toEqual(decision.record);
      expect(explained(decision, record)).toEqual(explained(decision, decision.record));
      expect(ruleVersion).toBe(decision.ruleVersion);
    }
    const reasons = new Set(everyReason.map(({ decision }) => decision.reason));
    expect(reasons.size).toBe(OUTCOME_REASONS.length + 1);
  });

  it('takes up every change of its points', async () => {
    const made = some(40, 11);
    const rows = await storedWithoutPoints(made);
    const changes = fc.sample(reversals, { numRuns: rows.length, seed: 12 });
    for (const [nth, row] of rows.entries()) {
      // What is summed up is beside the point here, and would be checked.
      const its = required(changes[nth]).map((each) => ({ ...each, points: 0, owed: 0 }));
      const later = its.map((each) => ({ ...each, writtenOff: 0 }));
      await db.transaction((tx) => debts.record(tx, [{ paymentId: row.id, reversals: later }]));
      const { record } = required(made[nth]).decision;
      const whole = { ...record, reversals: [...(record.reversals ?? []), ...later] };
      expect((await read(row)).decision).toEqual(whole);
    }
  });

  it('is replaced when a payment is decided again', async () => {
    const [before, after] = [some(40, 21), some(40, 22)];
    const rows = await storedWithoutPoints(before);
    for (const [nth, { id, tenantId }] of rows.entries()) {
      const again = required(after.find((each) => each.tenantId === tenantId) ?? before[nth]);
      const { payment, decision: change } = again;
      await db.transaction((tx) =>
        revisions.recordMatches(tx, [
          {
            ...change,
            id,
            userId: change.userId === null ? null : userId,
            points: 0,
            reversal: null,
            walletId: null,
            payment,
            sum: { minorUnits: 0, asOfMs: 0 },
          },
        ]),
      );
      expect((await read({ id, tenantId })).decision).toEqual(change.record);
    }
  });

  it('takes a few bytes', async () => {
    const [row] = await stored(some(1, 41).map((each) => ({ ...each, ...plain(each) })));
    const { rows } = await db.raw<{ rows: { bytes: number }[] }>(
      `select pg_column_size(decision) + pg_column_size(decision_facts) as bytes
       from payments where id = :id`,
      { id: required(row).id },
    );
    expect(required(rows[0]).bytes).toBeLessThan(16);
  });
});

/** A decision of nobody, without a refund. */
function plain({ decision, ...shop }: Decided): Pick<Decided, 'decision'> {
  const { record } = decideSale(
    { ...shop.payment, email: null, phone: null, refundedMinorUnits: 0 },
    { userByEmail: null, userByPhone: null, currency: null, isSuspended: false },
    { rule: shop.rule, isLate: false },
  ).decision;
  return { decision: { ...decision, record, outcome: 'stored_anonymous', ruleVersion: null } };
}
