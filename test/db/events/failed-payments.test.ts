import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as failedPayments from '../../../db/events/failed-payments.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { aTenant } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { eventRows } from '../../support/providers/events.ts';

const database = await useDatabase();
const { db } = database;
let tenantId: TenantId;
beforeEach(async () => {
  tenantId = await aTenant(db);
});

const aFailure = (some: Partial<failedPayments.FailedPayment> = {}) => ({
  tenantId,
  provider: 'alpha' as const,
  merchantId: 'M1',
  providerPaymentId: randomUUID(),
  changedAt: new Date('2026-01-15T10:00:02.100Z'),
  eventType: 'payment.listed',
  body: Buffer.from('{}'),
  error: 'Postgres refused it: 22021',
  ...some,
});
const stored = () => eventRows(db).where({ tenantId }).orderBy('receivedAt');

describe('record', () => {
  it('stores an open event with its error, which is tried again later', async () => {
    const failure = aFailure();
    await failedPayments.record(db, [failure]);
    const [event] = await stored();
    expect(event).toMatchObject({
      provider: 'alpha',
      merchantId: 'M1',
      eventType: 'payment.listed',
      processed: false,
      attempts: 1,
      lastError: failure.error,
      body: failure.body,
    });
    expect(event.nextAttemptAt.getTime()).toBeGreaterThan(Date.now() + 20_000);
  });

  it('stores each version of a payment once, and leaves what is stored as it is', async () => {
    const failure = aFailure();
    await failedPayments.record(db, [failure, aFailure({ changedAt: null })]);
    await db('pending_events').where({ tenantId }).update({ attempts: 7 });
    await failedPayments.record(db, [failure]);
    expect((await stored()).map(({ attempts }) => attempts)).toEqual([7, 7]);
    await failedPayments.record(db, [{ ...failure, changedAt: new Date() }]);
    expect(await stored()).toHaveLength(3);
    await failedPayments.record(db, []);
  });
});
