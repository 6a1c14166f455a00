import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ingestListedPayments } from '../../../../activities/ingestion/decide/ingest-payments.ts';
import { ingestEvents } from '../../../../activities/ingestion/events/ingest-events.ts';
import { connect, type Db } from '../../../../db/connection.ts';
import type { EventId, TenantId, UserId } from '../../../../domain/ids.ts';
import {
  type AlphaPaymentOptions,
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  required,
  storedEvents,
  testPolicy,
} from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { eventRows } from '../../../support/providers/events.ts';

// What a change of a stored payment means for the event that reports it.

const database = await useDatabase();
const { db } = database;
let tenantId: TenantId;
let merchantId: string;
let people: { userId: UserId; email: string }[];
beforeEach(async () => {
  tenantId = await aTenant(db);
  merchantId = `M-${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
  await aRule(db, tenantId);
  people = [];
  for (let nth = 0; nth < 3; nth++) {
    const email = `${randomUUID()}@example.com`;
    people.push({ userId: await aUser(db, { email }), email });
  }
});

const person = (nth: number) => required(people[nth]);
const sale = (nth: number, some: AlphaPaymentOptions = {}): AlphaPaymentOptions => ({
  id: `P${nth}`,
  amount: 100,
  email: person(nth).email,
  ...some,
});
const stored = (...payments: AlphaPaymentOptions[]) =>
  storedEvents(
    db,
    merchantId,
    payments.map((payment) => anAlphaEvent(merchantId, payment)),
  );
const ingest = (ids: EventId[], by: Db = db) => ingestEvents(by, ids, new Map(), testPolicy);
const eventOf = (ids: readonly EventId[], nth: number) =>
  eventRows(db).where('id', required(ids[nth])).first();
const balanceOf = async (nth: number) =>
  (
    await db('wallets')
      .where({ tenantId, userId: person(nth).userId })
      .first()
  )?.balance;

/** Holds the wallet of a person while `work` runs on sessions that wait a quarter of a second. */
async function whileWalletIsHeld<T>(nth: number, work: (impatient: Db) => Promise<T>): Promise<T> {
  const impatient = connect(database.url, 2, 'loyalty-test', 250);
  const { userId } = person(nth);
  try {
    return await db.transaction(async (tx) => {
      await tx('wallets').where({ tenantId, userId }).forUpdate().select('id');
      return work(impatient);
    });
  } finally {
    await impatient.destroy();
  }
}

describe('an event that changes a stored payment', () => {
  it('is closed by the transaction that changes it, or neither happens', async () => {
    await ingest(await stored(sale(0)));
    await database.owner.raw(
      `create function killed() returns trigger language plpgsql as
         $$ begin raise exception 'killed' using errcode = 'XX000'; end $$;
       create trigger killed before insert on event_outcomes for each row
         when (new.outcome = 'refund_reversed') execute function killed()`,
    );
    const ids = await stored(sale(0, { refunded: 30 }));
    try {
      expect((await ingest(ids)).failures).toHaveLength(1);
    } finally {
      await database.owner.raw('drop trigger killed on event_outcomes; drop function killed');
    }
    expect(await balanceOf(0)).toBe(100);
    expect(await eventOf(ids, 0)).toMatchObject({ processed: false, attempts: 1 });

    const { decided } = await ingest(ids);
    expect(decided.map(({ outcome }) => outcome)).toEqual(['refund_reversed']);
    expect(await eventOf(ids, 0)).toMatchObject({ outcome: 'refund_reversed', lastError: null });
    expect(await balanceOf(0)).toBe(70);
  });

  it('is counted once when two runs ingest it at once', async () => {
    await ingest(await stored(sale(0)));
    const ids = await stored(sale(0, { refunded: 30 }));
    const runs = await Promise.all(Array.from({ length: 6 }, () => ingest(ids)));
    expect(runs.flatMap(({ decided }) => decided.map(({ outcome }) => outcome))).toEqual([
      'refund_reversed',
    ]);
    expect(await eventOf(ids, 0)).toMatchObject({ outcome: 'refund_reversed' });
  });

  it('fails alone: its failure is recorded, and those after it are ingested', async () => {
    await ingest(await stored(sale(0), sale(1), sale(2)));
    const ids = await stored(...[0, 1, 2].map((nth) => sale(nth, { refunded: 100 })));
    const { failures, decided } = await whileWalletIsHeld(1, (impatient) => ingest(ids, impatient));
    expect(failures.map(({ id }) => id)).toEqual([ids[1]]);
    expect(decided).toHaveLength(2);
    expect([await balanceOf(0), await balanceOf(1), await balanceOf(2)]).toEqual([0, 100, 0]);
    const failed = await eventOf(ids, 1);
    expect(failed).toMatchObject({ attempts: 1, lastError: 'Postgres refused it: 57014' });
    expect(failed.nextAttemptAt.getTime()).toBeGreaterThan(Date.now());
    await ingest(ids);
    expect(await balanceOf(1)).toBe(0);
  });
});

describe('a listed payment that changes a stored one', () => {
  it('fails alone', async () => {
    await ingest(await stored(sale(0), sale(1), sale(2)));
    const at = new Date('2026-01-15T10:00:02.100Z');
    const items = [0, 1, 2].map((nth) => ({
      tenantId,
      payment: {
        provider: 'alpha' as const,
        providerPaymentId: `P${nth}`,
        state: 'settled' as const,
        amountMinorUnits: 100,
        tipMinorUnits: 0,
        refundedMinorUnits: 100,
        currency: 'EUR',
        occurredAt: at,
        changedAt: at,
        locationId: null,
        providerCustomerId: null,
        email: person(nth).email,
        phone: null,
      },
    }));
    const counts = await whileWalletIsHeld(1, (impatient) =>
      ingestListedPayments(impatient, items, testPolicy),
    );
    expect(counts).toMatchObject({ refund_reversed: 2, failed: 1 });
    expect([await balanceOf(0), await balanceOf(1), await balanceOf(2)]).toEqual([0, 100, 0]);
  });
});
