import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ingestListedPayments } from '../../../../activities/ingestion/decide/ingest-payments.ts';
import { settleSums } from '../../../../db/tenants/campaigns.ts';
import type { CampaignId, TenantId, UserId } from '../../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../../domain/payment.ts';
import { holdUpPayments } from '../../../support/database/gate.ts';
import {
  aCampaign,
  aRule,
  aTenant,
  aUser,
  aWallet,
  testPolicy,
} from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { aSale } from '../../../support/points/a-sale.ts';

const database = await useDatabase();
const { db } = database;

let tenantId: TenantId;
let campaignId: CampaignId;
let email: string;
let userId: UserId;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await aRule(db, tenantId);
  const welcome = { points: 50, minSpendMinorUnits: 50, audience: 'first_purchase' } as const;
  campaignId = await aCampaign(db, tenantId, welcome);
  email = `${randomUUID()}@example.com`;
  userId = await aUser(db, { email });
});

const aPurchase = (some: Partial<NormalizedPayment> = {}) => {
  const at = new Date();
  return { tenantId, payment: aSale({ email, occurredAt: at, changedAt: at, ...some }) };
};
const ingest = (...sales: ReturnType<typeof aPurchase>[]) =>
  ingestListedPayments(db, sales, testPolicy);
const bonuses = async () =>
  (await db('campaign_awards').where({ campaignId }).orderBy('createdAt')).map(
    ({ points }) => points,
  );
const decided = () => db('payments').where({ tenantId, outcome: 'credited' });

describe('a bonus for a first purchase', () => {
  it('is given once to two purchases of one batch', async () => {
    await ingest(aPurchase(), aPurchase());
    expect(await decided()).toHaveLength(2);
    expect(await bonuses()).toEqual([50]);
  });

  it('is given once to purchases at the same moment, and none of them fails', async () => {
    // Without a wallet, they would wait for the first one to make it, and find its purchase.
    await aWallet(db, { tenantId, userId, balance: 0 });
    const gate = await holdUpPayments(database, tenantId);
    const sold = Promise.all(Array.from({ length: 3 }, () => ingest(aPurchase())));
    await expect.poll(gate.countWaiting, { timeout: 10_000 }).toBe(3);
    await gate.open(sold);
    expect(await decided()).toHaveLength(3);
    expect(await bonuses()).toEqual([50]);
  });

  it('is given once to purchases whose customer is named at the same moment', async () => {
    const unnamed = Array.from({ length: 4 }, () => aPurchase({ email: null }));
    await ingest(...unnamed);
    const changedAt = new Date(Date.now() + 1_000);
    const named = unnamed.map(({ payment }) => ({
      tenantId,
      payment: { ...payment, email, changedAt },
    }));
    await Promise.all([ingest(...named), ...named.map((each) => ingest(each))]);
    expect(await decided()).toHaveLength(4);
    expect(await bonuses()).toEqual([50]);
  });

  it('is not given to a second purchase whose customer is named with that of one', async () => {
    const purchases = [40, 60].map((amountMinorUnits) =>
      aPurchase({ email: null, amountMinorUnits }),
    );
    await ingest(...purchases);
    const changedAt = new Date(Date.now() + 1_000);
    await ingest(
      ...purchases.map(({ payment }) => ({ tenantId, payment: { ...payment, email, changedAt } })),
    );
    expect(await decided()).toHaveLength(2);
    expect(await bonuses()).toEqual([]);
  });

  it('is not given again once it was refunded', async () => {
    const first = aPurchase();
    await ingest(first);
    const { payment } = first;
    const refunded = {
      ...payment,
      refundedMinorUnits: payment.amountMinorUnits,
      changedAt: new Date(Date.now() + 1_000),
    };
    await ingest({ tenantId, payment: refunded }, aPurchase());
    expect(await decided()).toHaveLength(2);
    expect(await bonuses()).toEqual([50, -50]);
  });
});

describe('what a campaign has given', () => {
  it('is the same before and after it is added up, by two at once', async () => {
    await ingest(aPurchase());
    await Promise.all([settleSums(db, 0), settleSums(db, 0)]);
    expect(await settleSums(db, 0)).toBe(0);
    expect(await db('campaign_sums').where({ campaignId })).toMatchObject([
      { points: 50, awards: 1 },
    ]);
  });
});
