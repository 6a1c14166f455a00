import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import { ingestListedPayments } from '../../activities/ingestion/decide/ingest-payments.ts';
import { decideNight } from '../../activities/tiers.ts';
import { decidedPayment } from '../../api/resources/decision.ts';
import { connect } from '../../db/connection.ts';
import * as payments from '../../db/payments/payments.ts';
import type { PaymentId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import { dayBefore, dayTextOf } from '../../domain/intervals.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import { explainPayment } from '../../domain/texts/explanation.ts';
import {
  aCampaign,
  aProgramme,
  aRule,
  aTenant,
  aUser,
  aWallet,
  required,
  testPolicy,
} from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { aSale } from '../support/points/a-sale.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;
const SILVER = { key: 'silver', name: 'Silver', thresholdMinorUnits: 50_000, multiplier: 1.25 };
const GOLD = { key: 'gold', name: 'Gold', thresholdMinorUnits: 100_000, multiplier: 1.5 };
const tiers = [SILVER, GOLD];
const ZONE = 'Europe/Berlin';
const TODAY = dayTextOf(new Date(), ZONE);
const ahead = (days: number) => dayBefore(TODAY, -days);

let tenantId: TenantId;
let userId: UserId;
let walletId: WalletId;
let email: string;
beforeEach(async () => {
  tenantId = await aTenant(db, { country: 'DE' });
  await aRule(db, tenantId, { conversionRate: 0.1, roundingPolicy: 'floor' });
  await aProgramme(db, tenantId, { tiers });
  await db('tenants').where('id', tenantId).update({ tellsEvents: true, currency: 'USD' });
  email = `${randomUUID()}@example.com`;
  userId = await aUser(db, { email });
  walletId = await aWallet(db, { userId, tenantId });
});

async function sell(some: Partial<NormalizedPayment> = {}): Promise<NormalizedPayment> {
  const at = new Date();
  const payment = aSale({ email, occurredAt: at, changedAt: at, ...some });
  await ingestListedPayments(db, [{ tenantId, payment }], testPolicy);
  return payment;
}
async function refund(payment: NormalizedPayment, refundedMinorUnits: number) {
  const changedAt = new Date(Date.now() + 1_000);
  await ingestListedPayments(
    db,
    [{ tenantId, payment: { ...payment, refundedMinorUnits, changedAt } }],
    testPolicy,
  );
}
const night = (day: string) => decideNight(db, { tenantId, day });
const standing = () =>
  db('wallet_standings')
    .where({ walletId })
    .first('tierKey', db.raw('since::text'), db.raw('kept_until::text'));
const told = async () =>
  (await db('tenant_events').where({ tenantId, type: 'tier.changed' }).orderBy('id')).map(
    ({ data }) => data,
  );
const stepsOf = async ({ providerPaymentId }: NormalizedPayment) => {
  const sale = db('payments').where({ tenantId, providerPaymentId });
  const { id } = required(await sale.first<{ id: PaymentId }>('id'));
  const paid = required(await payments.find(db, tenantId, id));
  return explainPayment(decidedPayment(paid), 'consumer').steps.join(' ');
};

describe('a night', () => {
  it('gives a tier two weeks after the sale that reached it, for a year', async () => {
    await sell({ amountMinorUnits: 60_000 });
    expect(await night(ahead(14))).toEqual({ wallets: 1, changed: 0 });
    expect(await night(ahead(15))).toEqual({ wallets: 1, changed: 1 });
    const silver = { tierKey: 'silver', since: ahead(15), keptUntil: ahead(15 + 365) };
    expect(await standing()).toEqual(silver);
    expect(await told()).toEqual([
      { walletId, userId, from: null, to: 'silver', cause: 'reached' },
    ]);
    // Decided again, and by two at once, it is as it was.
    await Promise.all([night(ahead(15)), night(ahead(15))]);
    expect(await standing()).toEqual(silver);
    expect(await told()).toHaveLength(1);
  });

  it('counts less what was refunded by then, and takes nothing away for it later', async () => {
    const sale = await sell({ amountMinorUnits: 60_000 });
    await refund(sale, 20_000);
    expect(await night(ahead(15))).toEqual({ wallets: 1, changed: 0 });
    await sell({ amountMinorUnits: 20_000 });
    await night(ahead(15));
    expect(await standing()).toMatchObject({ tierKey: 'silver' });
    await refund(sale, 60_000);
    await night(ahead(16));
    expect(await standing()).toMatchObject({ tierKey: 'silver' });
    // Once its term is over nothing is left to keep it.
    await night(ahead(15 + 365));
    expect(await standing()).toBeUndefined();
    expect(await told()).toMatchObject([
      { cause: 'reached' },
      { from: 'silver', to: null, cause: 'term_ended' },
    ]);
  });

  it('counts neither another currency nor what the shop had no rule for', async () => {
    await sell({ amountMinorUnits: 60_000, currency: 'EUR' });
    await sell({ amountMinorUnits: 60_000, email: null });
    expect(await night(ahead(15))).toEqual({ wallets: 1, changed: 0 });
  });

  it('gives nothing to who is being erased', async () => {
    await sell({ amountMinorUnits: 60_000 });
    await db('users').where({ id: userId }).update({ erasedAt: new Date() });
    expect(await night(ahead(15))).toEqual({ wallets: 0, changed: 0 });
    expect(await standing()).toBeUndefined();
    expect(await told()).toEqual([]);
  });

  it('is left out while the shop is suspended', async () => {
    await sell({ amountMinorUnits: 60_000 });
    await db('tenants').where('id', tenantId).update({ suspendedAt: new Date() });
    expect(await night(ahead(15))).toBeUndefined();
    expect(await standing()).toBeUndefined();
  });
});

describe('who has a tier', () => {
  beforeEach(() =>
    db('wallet_standings').insert({
      walletId,
      tenantId,
      tierKey: 'gold',
      since: TODAY,
      keptUntil: ahead(365),
      decidedOn: TODAY,
    }),
  );

  it('earns by its multiplier, and is told so', async () => {
    const sale = await sell({ amountMinorUnits: 1_255 });
    const paid = await db('payments').where({ tenantId }).first();
    expect(paid).toMatchObject({
      pointsAwarded: 188,
      decision: { awards: { base: 125, tier: { key: 'gold', multiplier: 1.5, points: 63 } } },
    });
    expect(await stepsOf(sale)).toContain(
      'As a Gold member you earn 1.5 times as much: 1255 × 0.1 × 1.5 = 188.25',
    );
  });

  it('gets the greatest of it and campaigns', async () => {
    await aCampaign(db, tenantId, { multiplier: 2 });
    await sell({ amountMinorUnits: 1_255 });
    expect(await db('payments').where({ tenantId }).first()).toMatchObject({
      pointsAwarded: 251,
    });
  });

  it('earns by the programme of now: by another multiplier, or by none', async () => {
    await aProgramme(db, tenantId, { tiers: [SILVER, { ...GOLD, multiplier: 2 }] });
    await sell({ amountMinorUnits: 1_000 });
    await aProgramme(db, tenantId, { tiers: [SILVER] });
    await sell({ amountMinorUnits: 1_000 });
    const paid = await db('payments').where({ tenantId }).orderBy('createdAt');
    expect(paid).toMatchObject([{ pointsAwarded: 200 }, { pointsAwarded: 100 }]);
    expect(paid[1]?.decision).not.toHaveProperty('awards');
  });

  it('earns nothing more once the shop has no tiers', async () => {
    await aProgramme(db, tenantId);
    await sell({ amountMinorUnits: 1_000 });
    expect(await db('payments').where({ tenantId }).first()).toMatchObject({ pointsAwarded: 100 });
  });

  it('earns nothing more at another shop', async () => {
    const elsewhere = await aTenant(db, { country: 'DE' });
    await aRule(db, elsewhere, { conversionRate: 0.1, roundingPolicy: 'floor' });
    await aProgramme(db, elsewhere, { tiers });
    const at = new Date();
    const payment = aSale({ email, occurredAt: at, changedAt: at, amountMinorUnits: 1_000 });
    await ingestListedPayments(db, [{ tenantId: elsewhere, payment }], testPolicy);
    expect(await db('payments').where({ tenantId: elsewhere }).first()).toMatchObject({
      pointsAwarded: 100,
    });
  });
});

describe('listDueNights', () => {
  it('names the newest night of shops with tiers, once', async () => {
    const activities = createActivities(activityDeps(db));
    const due = async () =>
      (await activities.listDueNights(null)).due.filter((each) => each.tenantId === tenantId);
    const [first] = await due();
    // Until three on the shop's clocks it is the night before.
    expect([TODAY, dayBefore(TODAY, 1)]).toContain(first?.day);
    await activities.decideTiers(required(first));
    expect(await due()).toEqual([]);
    await db('tenants')
      .where('id', tenantId)
      .update({ tiersDecidedOn: dayBefore(TODAY, 3) });
    expect(await due()).toEqual([first]);
    // Without tiers there is something to decide only while somebody still has one.
    await aProgramme(db, tenantId, {});
    expect(await due()).toEqual([]);
  });

  it('names none where programmes are not applied', async () => {
    const off = connect(
      { url: database.url, installation: 'test', hasProgrammes: false },
      1,
      'off',
    );
    const its = createActivities(activityDeps(off));
    expect(await its.listDueNights(null)).toEqual({ due: [], next: null });
    await off.destroy();
  });
});
