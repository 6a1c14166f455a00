import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ingestListedPayments } from '../../../../activities/ingestion/decide/ingest-payments.ts';
import type { TenantId, UserId } from '../../../../domain/ids.ts';
import { NO_COUNTS } from '../../../../domain/ingest-counts.ts';
import type { NormalizedPayment } from '../../../../domain/payment.ts';
import { createTestDatabase } from '../../../support/database/test-database.ts';
import { aRule, aTenant, aUser, testPolicy } from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { decisionAbout } from '../../../support/points/payments.ts';

let tenantId: TenantId;
let userId: UserId;
let email: string;
const database = await useDatabase();
const { db } = database;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await aRule(db, tenantId);
  email = `${randomUUID()}@example.com`;
  userId = await aUser(db, { email });
});

const at = new Date('2026-01-15T10:00:00Z');
function listed(some: Partial<NormalizedPayment> = {}) {
  const payment: NormalizedPayment = {
    provider: 'alpha',
    providerPaymentId: randomUUID(),
    state: 'settled',
    amountMinorUnits: 10,
    tipMinorUnits: 0,
    refundedMinorUnits: 0,
    currency: 'EUR',
    occurredAt: at,
    changedAt: at,
    locationId: null,
    providerCustomerId: null,
    email,
    phone: null,
    ...some,
  };
  return { tenantId, payment };
}
const ingest = (page: ReturnType<typeof listed>[]) => ingestListedPayments(db, page, testPolicy);
const balance = async () => (await db('wallets').where({ userId, tenantId }).first())?.balance;

describe('ingestListedPayments', () => {
  it('ingests a page of several batches, and nothing when the page is repeated', async () => {
    const page = Array.from({ length: 250 }, () => listed());
    expect(await ingest(page)).toEqual({ ...NO_COUNTS, credited: 250, points: 2500 });
    expect(await ingest(page)).toEqual({ ...NO_COUNTS, duplicate: 250 });
    expect(await balance()).toBe(2500);
  });

  it('ingests each payment once when one page is ingested four times concurrently', async () => {
    const page = Array.from({ length: 60 }, () => listed());
    await Promise.all([ingest(page), ingest(page.toReversed()), ingest(page), ingest(page)]);
    expect(await balance()).toBe(600);
  });

  it('credits nothing, and makes no wallet, for another currency than the tenant’s', async () => {
    await db('tenants').where('id', tenantId).update({ currency: 'EUR' });
    const foreign = listed({ currency: 'JPY', amountMinorUnits: 1250 });
    expect(await ingest([foreign])).toEqual({ ...NO_COUNTS, credited: 1, points: 0 });
    expect(await balance()).toBeUndefined();
    const { providerPaymentId } = foreign.payment;
    const stored = await db('payments').where({ providerPaymentId }).first();
    expect(await decisionAbout(db, stored.id)).toMatchObject({
      currency: 'JPY',
      tenantCurrency: 'EUR',
      earning: null,
    });
    expect(stored).toMatchObject({
      outcome: 'credited',
      outcomeReason: 'currency_mismatch',
      pointsAwarded: 0,
      userId,
      walletId: null,
    });
    expect(await ingest([listed()])).toMatchObject({ credited: 1, points: 10 });
  });

  it('counts unsettled payments as ignored, and unmatched ones as anonymous', async () => {
    const page = [
      listed({ state: 'pending' }),
      listed({ state: 'failed' }),
      listed({ email: null, providerCustomerId: 'C1' }),
      listed(),
    ];
    expect(await ingest(page)).toMatchObject({ ignored: 2, stored_anonymous: 1, credited: 1 });
  });

  it('ingests the others when the database refuses one, and caps points at the limit', async () => {
    await aRule(db, tenantId, { conversionRate: 1_000_000 });
    const page = [
      listed({ amountMinorUnits: 1 }),
      listed({ providerPaymentId: 'NUL\u0000' }),
      listed({ amountMinorUnits: Number.MAX_SAFE_INTEGER }),
      listed({ amountMinorUnits: 1 }),
    ];
    expect(await ingest(page)).toMatchObject({ credited: 3, failed: 1 });
    expect(await balance()).toBe(2_000_000 + (2 ** 31 - 1));
  });

  it('throws when the database is unavailable, so that the activity is retried', async () => {
    const other = await createTestDatabase();
    await other.close();
    await expect(ingestListedPayments(other.db, [listed()], testPolicy)).rejects.toThrow();
  });
});
