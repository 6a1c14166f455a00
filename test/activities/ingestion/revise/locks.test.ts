import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ingestEvents } from '../../../../activities/ingestion/events/ingest-events.ts';
import { deadlocksOf } from '../../../../bench/population.ts';
import { isLockTimeout } from '../../../../db/errors.ts';
import * as lifecycle from '../../../../db/redemptions/lifecycle.ts';
import * as redemptions from '../../../../db/redemptions/redemptions.ts';
import { RedemptionId, type TenantId, type UserId, type WalletId } from '../../../../domain/ids.ts';
import {
  type AlphaPaymentOptions,
  aCredit,
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  aWallet,
  postByHand,
  required,
  storedEvents,
  testPolicy,
} from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { expiresIn, testCodes } from '../../../support/points/redemptions.ts';

// Everything that takes locks, against everything else: db/payments/debts.ts says in which order.

const database = await useDatabase();
const { db } = database;
let tenantId: TenantId;
let merchantId: string;
beforeEach(async () => {
  tenantId = await aTenant(db);
  merchantId = `M-${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
  await aRule(db, tenantId);
});
afterEach(async () => {
  // Sessions report what they counted when they are idle, within a second.
  await sleep(1_100);
  expect(await deadlocksOf(database.owner)).toBe(0);
});

/** On a busy machine a wallet may be held for longer than an expiry waits. */
function unlessHeld(error: unknown): void {
  if (!isLockTimeout(error)) throw error;
}

type Person = { userId: UserId; email: string; walletId: WalletId };

async function aPerson(): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  const userId = await aUser(db, { email });
  return { userId, email, walletId: await aWallet(db, { userId, tenantId }) };
}

const ingest = async (...payments: AlphaPaymentOptions[]) => {
  const bodies = payments.map((payment) => anAlphaEvent(merchantId, payment));
  let open = await storedEvents(db, merchantId, bodies);
  while (open.length > 0) {
    const { failures, held } = await ingestEvents(db, open, new Map(), testPolicy);
    expect(failures).toEqual([]);
    // Left for the next attempt, where it waited for longer than a batch does.
    open = held;
  }
};

async function untilWaiting(sessions: number): Promise<void> {
  const waiting = async () => {
    const { rows } = await db.raw<{ rows: { count: number }[] }>(
      `select count(*) as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0]?.count;
  };
  await expect.poll(waiting, { timeout: 10_000, interval: 20 }).toBe(sessions);
}

describe('a batch and a refund', () => {
  it('do not deadlock over a payment that one reports again and the other changes', async () => {
    const { email, walletId } = await aPerson();
    const known = { id: 'P1', amount: 100, email };
    await ingest(known);
    const running: Promise<void>[] = [];
    await db.transaction(async (tx) => {
      await tx('wallets').where({ id: walletId }).forUpdate().select('id');
      // The batch waits for the wallet before it closes the event of the known payment.
      running.push(ingest(known, { id: 'P2', amount: 10, email }));
      await untilWaiting(1);
      // The refund holds the payment, and waits for the wallet after the batch.
      running.push(ingest({ ...known, refunded: 30 }));
      await untilWaiting(2);
    });
    await Promise.all(running);
    expect(await db('wallets').where({ id: walletId }).first()).toMatchObject({ balance: 80 });
  });
});

describe('batches, refunds, confirms, burns and expiries', () => {
  const ROUNDS = 40;
  /** Rounds that chance may need until each cause has been met. */
  const MOST_ROUNDS = 400;
  const SALES = 12;
  const CAUSES = ['debt_paid', 'refund', 'refund_failed'];

  it('never deadlock, and leave every sum right', async () => {
    const people = [await aPerson(), await aPerson(), await aPerson()];
    for (const { walletId } of people) {
      await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 50)]));
    }
    const codes: { code: string; id: RedemptionId }[] = [];
    let version = 0;
    const some = <T>(items: readonly T[]): T =>
      required(items[Math.floor(Math.random() * items.length)]);
    const report = (): AlphaPaymentOptions => {
      const nth = Math.floor(Math.random() * SALES);
      version += 1;
      return {
        id: `P${nth}`,
        amount: 100,
        email: required(people[nth % people.length]).email,
        refunded: some([0, 0, 30, 60, 100]),
        updatedAt: new Date(Date.parse('2026-01-15T10:00:02Z') + version * 1_000),
      };
    };

    const confirm = () =>
      db.transaction(async (tx) => {
        const { walletId, userId } = some(people);
        const { balance } = await redemptions.lockRedeemable(tx, walletId, userId);
        if (balance < 10) return;
        const points = 5 + Math.floor(Math.random() * (balance - 5));
        const issued = { id: RedemptionId.parse(randomUUID()), tenantId };
        const { code } = await redemptions.issue(
          tx,
          {
            ...issued,
            walletId,
            points,
            discountValueMinorUnits: points,
            ruleVersion: 1,
            lifetimeMs: some([20, 300, 60_000]),
          },
          () => testCodes.make(issued),
        );
        codes.push({ code: code.code, id: issued.id });
      });
    const burn = async () => {
      if (codes.length === 0) return;
      const hmacs = testCodes.hmacsOf(some(codes.slice(-4)).code);
      const { userId: operatorId } = some(people);
      await db.transaction((tx) => redemptions.burn(tx, { tenantId, hmacs, operatorId }));
    };
    const expireOne = async () => {
      if (codes.length > 0) await lifecycle.expireOne(db, some(codes).id, some(policies));
    };
    const policies = ['refund', 'refund', 'forfeit'] as const;
    const batch = () => ingest(...Array.from({ length: 6 }, report));
    const sweep = () => lifecycle.expireOverdue(db, some(policies), 4);
    const causesMet = async () => {
      const decided = await db('payments').where({ tenantId }).select('decision');
      const stories = decided.flatMap(({ decision }) => decision.reversals ?? []);
      return [...new Set<string>(stories.map(({ cause }) => cause))].sort();
    };
    let isOver = false;
    const beside = [confirm, confirm, burn, expireOne, sweep].map(async (work) => {
      for (; !isOver; await sleep(10)) await work().catch(unlessHeld);
    });
    const batches = [0, 1, 2].map(async () => {
      for (let nth = 0; nth < ROUNDS; nth++) await batch();
      for (let nth = ROUNDS; nth < MOST_ROUNDS; nth++) {
        if ((await causesMet()).length === CAUSES.length) return;
        await batch();
      }
    });
    await Promise.all(batches).finally(() => {
      isOver = true;
    });
    await Promise.all(beside);
    const open = await db('redemptions').where({ tenantId, status: 'issued' }).pluck('id');
    await expiresIn(db, open, -1);
    await lifecycle.expireOverdue(db, 'refund', 1_000);

    const { rows } = await db.raw<{ rows: Record<string, number>[] }>(
      `select w.balance,
         (select sum(points_awarded - points_reversed) from payments where wallet_id = w.id) + 50
           - (select sum(points) from redemptions where wallet_id = w.id and not points_returned)
           as expected,
         (select sum(points_owed) from payments where wallet_id = w.id) - w.owed as owed,
         least(w.owed, w.balance) as owing_and_holding,
         (select count(*) from payments where wallet_id = w.id
          and points_reversed + points_owed + points_written_off <> refunded_minor_units) as wrong,
         (select count(*) from redemptions where wallet_id = w.id and status = 'issued') as open
       from wallets w where w.tenant_id = :tenantId`,
      { tenantId },
    );
    expect(rows).toHaveLength(people.length);
    for (const { balance, expected, ...rest } of rows) {
      expect(Number(expected)).toBe(balance);
      expect(Object.values(rest).map(Number)).toEqual([0, 0, 0, 0]);
    }
    const paid = await db('redemptions').where({ tenantId, pointsReturned: true });
    const used = await db('redemptions').where({ tenantId, status: 'used' });
    // What the test is about did happen.
    expect(Math.min(paid.length, used.length)).toBeGreaterThan(0);
    expect(await causesMet()).toEqual(CAUSES);
  }, 120_000);
});
