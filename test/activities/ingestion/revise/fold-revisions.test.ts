import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ingestListedPayments } from '../../../../activities/ingestion/decide/ingest-payments.ts';
import type { PaymentReport } from '../../../../activities/ingestion/decide/payment-report.ts';
import { ingestEvents } from '../../../../activities/ingestion/events/ingest-events.ts';
import {
  reviseAll,
  revisePayment,
} from '../../../../activities/ingestion/revise/revise-payment.ts';
import * as lifecycle from '../../../../db/redemptions/lifecycle.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../../domain/payment.ts';
import {
  aDebit,
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  postByHand,
  required,
  storedEvents,
  testPolicy,
} from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { decisionAbout } from '../../../support/points/payments.ts';
import { aRedemption, expiresIn } from '../../../support/points/redemptions.ts';

// Many changes of stored payments in a transaction end as they do one after another.

const database = await useDatabase();
const { db } = database;
const START = Date.parse('2026-01-15T10:00:00Z');
const HOT = 0;
const STRANGER = 2;

/** What a tenant's payments are before the reports, and the reports of them. */
type Story = {
  /** Of two consumers, the first of whom buys most, and of one who signs up later. */
  sales: { buyer: number; amount: number }[];
  /** The percentages of the first consumer's balance that are in a code, then spent. */
  inCode: number;
  spent: number;
  reports: { sale: number; refunded: number; at: number; by: 'buyer' | 'nobody' | 'other' }[];
};

const story: fc.Arbitrary<Story> = fc.record({
  sales: fc.array(
    fc.record({ buyer: fc.constantFrom(0, 0, 0, 1, 2, 2), amount: fc.constantFrom(3, 100, 250) }),
    { minLength: 2, maxLength: 6 },
  ),
  inCode: fc.constantFrom(0, 0, 30, 80),
  spent: fc.constantFrom(0, 0, 40, 100),
  reports: fc.array(
    fc.record({
      sale: fc.nat(5),
      refunded: fc.constantFrom(0, 1, 30, 60, 100, 250, 300),
      at: fc.nat(8),
      by: fc.constantFrom('buyer', 'buyer', 'nobody', 'other'),
    }),
    { minLength: 2, maxLength: 16 },
  ),
});

type Apply = (reports: readonly PaymentReport[]) => Promise<[string, string | null, number][]>;

const oneByOne: Apply = async (reports) => {
  const outcomes: Awaited<ReturnType<Apply>> = [];
  for (const report of reports) {
    const { outcome, reason, points } = await revisePayment(db, report, testPolicy);
    outcomes.push([outcome, reason, points]);
  }
  return outcomes;
};

const together: Apply = async (reports) => {
  const open = new Map(reports.map((report) => [report, { kind: 'revise' as const }]));
  const final = await reviseAll(db, [{ reports }], open, testPolicy);
  return reports.map((report) => {
    const outcome = final.get(report);
    if (outcome?.kind !== 'decided') throw new Error(JSON.stringify(outcome));
    return [outcome.outcome, outcome.reason, outcome.points];
  });
};

/** Plays the story at a tenant of its own, and returns how it ends, without ids and times. */
async function play({ sales, inCode, spent, reports }: Story, apply: Apply) {
  const tenantId = await aTenant(db);
  await aRule(db, tenantId);
  const emails = [0, 1, 2].map(() => `${randomUUID()}@example.com`);
  for (const email of emails.slice(0, STRANGER)) await aUser(db, { email });
  const reportOf = (nth: number, some: Partial<NormalizedPayment> = {}): PaymentReport => {
    const { buyer, amount } = required(sales[nth]);
    const payment: NormalizedPayment = {
      provider: 'alpha',
      providerPaymentId: `P${nth}`,
      state: 'settled',
      amountMinorUnits: amount,
      tipMinorUnits: 0,
      refundedMinorUnits: 0,
      currency: 'EUR',
      occurredAt: new Date(START),
      changedAt: new Date(START),
      locationId: null,
      providerCustomerId: null,
      email: required(emails[buyer]),
      phone: null,
      ...some,
    };
    return { tenantId, payment, isResolved: true };
  };
  for (const nth of sales.keys()) await ingestListedPayments(db, [reportOf(nth)], testPolicy);
  const hot = await walletOf(tenantId, required(emails[HOT]));
  const parked = Math.floor((hot?.balance * inCode) / 100) || 0;
  const code = parked > 0 ? await aRedemption(db, { walletId: hot.id, points: parked }) : undefined;
  const debit = Math.floor(((hot?.balance - parked) * spent) / 100) || 0;
  if (debit > 0) await db.transaction((tx) => postByHand(tx, [aDebit(hot.id, debit)]));
  await aUser(db, { email: required(emails[STRANGER]) });

  const outcomes = await apply(
    reports.map(({ sale, refunded, at, by }) =>
      reportOf(sale % sales.length, {
        refundedMinorUnits: refunded,
        changedAt: new Date(START + at * 1_000),
        ...(by === 'nobody' && { email: null }),
        ...(by === 'other' && { email: required(emails[1]) }),
      }),
    ),
  );
  const before = await stateOf(tenantId, emails);
  if (code !== undefined) {
    // Whose debts it pays shows which of them are older.
    await expiresIn(db, [code.id], -1);
    await lifecycle.expireOne(db, code.id, 'refund');
  }
  return { outcomes, before, after: await stateOf(tenantId, emails) };
}

async function walletOf(tenantId: TenantId, email: string) {
  return db('wallets as w')
    .join('users as u', 'u.id', 'w.userId')
    .where({ 'w.tenantId': tenantId, 'u.email': email })
    .first('w.id', 'w.balance', 'w.seq');
}

async function stateOf(tenantId: TenantId, emails: readonly string[]) {
  const rows = await db('payments').where({ tenantId }).orderBy('providerPaymentId');
  const payments = await Promise.all(
    rows.map(async ({ id, tenantId: _, userId, walletId, createdAt, owedSince, ...row }) => ({
      ...row,
      isOwing: owedSince !== null,
      hasOwner: [userId !== null, walletId !== null],
      decision: await decisionAbout(db, id),
      emailFingerprint: row.emailFingerprint !== null,
    })),
  );
  const wallets = await Promise.all(
    emails.map(async (email) => {
      const wallet = await walletOf(tenantId, email);
      if (wallet === undefined) return null;
      const { id, ...rest } = wallet;
      const entries = await db('ledger_entries as e')
        .leftJoin('payments as p', 'p.id', 'e.sourceId')
        .where('e.walletId', id)
        .select('e.seq', 'e.entryType', 'e.points', 'e.balanceAfter', 'e.reason')
        .select('p.providerPaymentId')
        .orderBy('e.seq');
      return { ...rest, entries };
    }),
  );
  return { payments, wallets };
}

describe('changes of stored payments', () => {
  it('end in one transaction as they do one after another', async () => {
    const causes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(story, async (some) => {
        const single = await play(some, oneByOne);
        const batch = await play(some, together);
        expect(batch).toEqual(single);
        for (const [outcome, reason] of batch.outcomes) causes.add(`${outcome} ${reason}`);
      }),
      { numRuns: 60, seed: 7 },
    );
    // What the test is about did happen.
    expect([...causes]).toEqual(
      expect.arrayContaining([
        'credited null',
        'duplicate null',
        'duplicate refund_noted',
        'refund_reversed null',
        'refund_reversed partly_owed',
        'refund_reversed refund_failed',
      ]),
    );
  }, 240_000);

  it('take as many statements for a hundred events as for ten', async () => {
    const statementsOf = async (count: number) => {
      const tenantId = await aTenant(db);
      await aRule(db, tenantId);
      const merchantId = `M-${randomUUID()}`;
      await anAlphaConnection(db, { tenantId, merchantId });
      const email = `${randomUUID()}@example.com`;
      await aUser(db, { email });
      const ingest = async (refunded: number) => {
        const bodies = Array.from({ length: count }, (_, nth) =>
          anAlphaEvent(merchantId, { id: `P${nth}`, amount: 100, email, refunded }),
        );
        const ids = await storedEvents(db, merchantId, bodies);
        let statements = 0;
        const note = ({ sql }: { sql: string }) => {
          // Streams are told after the commit, perhaps while the next batch runs.
          if (!sql.includes('pg_notify')) statements++;
        };
        db.on('query', note);
        const { decided } = await ingestEvents(db, ids, new Map(), testPolicy);
        db.removeListener('query', note);
        return { statements, outcomes: decided.map(({ outcome }) => outcome) };
      };
      await ingest(0);
      const { statements, outcomes } = await ingest(40);
      expect(outcomes).toEqual(Array(count).fill('refund_reversed'));
      expect(await walletOf(tenantId, email)).toMatchObject({ balance: count * 60 });
      return statements;
    };
    expect(await statementsOf(100)).toBe(await statementsOf(10));
  });
});
