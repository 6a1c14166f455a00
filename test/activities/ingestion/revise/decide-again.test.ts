import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ingestListedPayments } from '../../../../activities/ingestion/decide/ingest-payments.ts';
import { decideAgain } from '../../../../activities/ingestion/revise/decide-again.ts';
import type { TenantId, UserId } from '../../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../../domain/payment.ts';
import { holdUpPayments } from '../../../support/database/gate.ts';
import {
  aCampaign,
  aProgramme,
  aRule,
  aTenant,
  aUser,
  aWallet,
  testPolicy,
} from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { aSale } from '../../../support/points/a-sale.ts';
import { decisionAbout } from '../../../support/points/payments.ts';

const database = await useDatabase();
const { db } = database;

let tenantId: TenantId;
let email: string;
let userId: UserId;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await aRule(db, tenantId);
  email = `${randomUUID()}@example.com`;
  userId = await aUser(db, { email });
  await setCurrency('EUR');
});

const setCurrency = (currency: string) => db('tenants').where('id', tenantId).update({ currency });
const again = () => decideAgain(db, tenantId, 'reverse');
const ingest = (payments: Partial<NormalizedPayment>[]) =>
  ingestListedPayments(
    db,
    payments.map((some) => ({
      tenantId,
      payment: aSale({ provider: 'beta', currency: 'JPY', email, ...some }),
    })),
    testPolicy,
  );
const paymentsOf = () => db('payments').where({ tenantId }).select('id');
const balance = async () => (await db('wallets').where({ userId, tenantId }).first())?.balance;

describe('decideAgain', () => {
  it('credits what is in the tenant’s currency now, less refunds, once', async () => {
    await ingest([{}, { refundedMinorUnits: 25 }, { currency: 'USD' }]);
    expect(await again()).toEqual({ payments: 0, points: 0, failed: [], isComplete: true });
    await setCurrency('JPY');
    const [one, two] = await Promise.all([again(), again()]);
    expect(one.payments + two.payments).toBe(2);
    expect(one.points + two.points).toBe(200);
    expect((await again()).payments).toBe(0);
    expect(await balance()).toBe(175);

    const rows = await db('payments').where({ tenantId }).orderBy('currency');
    expect(rows).toMatchObject([
      { outcomeReason: null, pointsAwarded: 100, userId },
      { outcomeReason: null, pointsAwarded: 100, userId },
      { outcomeReason: 'currency_mismatch', pointsAwarded: 0, walletId: null },
    ]);
    const decision = await decisionAbout(db, rows[0].id);
    expect(decision).toMatchObject({
      contacts: { email: true, phone: false },
      match: { by: 'email' },
      earning: { points: 100 },
    });
    expect(decision).not.toHaveProperty('tenantCurrency');
  });

  it('gives campaigns after another currency, and none after a suspension', async () => {
    const at = new Date();
    await aCampaign(db, tenantId, { points: 30, minSpendMinorUnits: 30 });
    const soon = { occurredAt: new Date(at.getTime() + 60_000), changedAt: at };
    await ingest([soon]);
    await db('tenants').where('id', tenantId).update({ suspendedAt: at });
    await ingest([{ ...soon, currency: 'JPY' }]);
    await setCurrency('JPY');
    await db('tenants').where('id', tenantId).update({ suspendedAt: null });
    expect(await again()).toMatchObject({ payments: 2, points: 230 });
    expect(await db('campaign_awards').whereIn('paymentId', paymentsOf())).toHaveLength(1);
  });

  it('gives none after a suspension either if it is in another currency first', async () => {
    const at = new Date();
    await aCampaign(db, tenantId, { points: 30, minSpendMinorUnits: 30 });
    await db('tenants').where('id', tenantId).update({ suspendedAt: at });
    await ingest([{ occurredAt: new Date(at.getTime() + 60_000), changedAt: at }]);
    await db('tenants').where('id', tenantId).update({ suspendedAt: null });
    expect(await again()).toMatchObject({ payments: 1, points: 0 });
    expect(await db('payments').where({ tenantId })).toMatchObject([
      { outcomeReason: 'currency_mismatch' },
    ]);
    await setCurrency('JPY');
    expect(await again()).toMatchObject({ payments: 1, points: 100 });
    const [{ id }] = await paymentsOf();
    expect(await decisionAbout(db, id)).not.toHaveProperty('wasSuspended');
  });

  it('multiplies by the tier of now after a suspension', async () => {
    const gold = { key: 'gold', name: 'Gold', thresholdMinorUnits: 1, multiplier: 1.5 };
    await aProgramme(db, tenantId, { tiers: [gold] });
    const walletId = await aWallet(db, { userId, tenantId });
    await db('tenants').where('id', tenantId).update({ suspendedAt: new Date() });
    await ingest([{ currency: 'EUR' }]);
    const kept = { since: '2026-01-01', keptUntil: '2027-01-01', decidedOn: '2026-01-01' };
    await db('wallet_standings').insert({ walletId, tenantId, tierKey: 'gold', ...kept });
    await db('tenants').where('id', tenantId).update({ suspendedAt: null });
    expect(await again()).toMatchObject({ payments: 1, points: 150 });
  });

  it('goes on past one that fails, and takes it when it is run again', async () => {
    const refused = randomUUID();
    await ingest([{}, { providerPaymentId: refused }, {}]);
    await setCurrency('JPY');
    await database.owner.raw(
      `create function refuse_payment() returns trigger language plpgsql as
         $$ begin raise exception 'refused on purpose'; end $$;
       create trigger refuse_payment before update on payments for each row
         when (old.provider_payment_id = '${refused}') execute function refuse_payment()`,
    );
    const first = await again();
    await database.owner.raw('drop function refuse_payment cascade');
    expect(first).toMatchObject({ payments: 2, points: 200, failed: [{}] });
    expect(await again()).toMatchObject({ payments: 1, points: 100, failed: [] });
    expect(await balance()).toBe(300);
  });

  it('waits a moment for a wallet that somebody holds, once, and goes on with others', async () => {
    const other = `${randomUUID()}@example.com`;
    await aUser(db, { email: other });
    await aWallet(db, { userId, tenantId });
    await ingest([{}, {}, { email: other }]);
    await setCurrency('JPY');
    const holder = await db.transaction();
    await holder('wallets').where({ userId, tenantId }).forUpdate().first('id');
    const done = await again();
    await holder.rollback();
    expect(done).toMatchObject({ payments: 1, isComplete: true });
    const errors = done.failed.map(({ error }) => (error instanceof Error ? error.message : ''));
    expect(errors).toEqual([
      expect.stringContaining('lock timeout'),
      expect.stringContaining('The wallet is held'),
    ]);
    expect((await again()).payments).toBe(2);
  });

  it('waits for a payment that is being refused while the currency is corrected', async () => {
    const gate = await holdUpPayments(database, tenantId);
    const ingesting = ingest([{}]);
    await expect.poll(gate.countWaiting).toBe(1);
    await setCurrency('JPY');
    const deciding = again();
    expect(await gate.open(ingesting)).toMatchObject({ credited: 1, points: 0 });
    expect(await deciding).toMatchObject({ payments: 1, points: 100, isComplete: true });
    expect(await balance()).toBe(100);
  });
});
