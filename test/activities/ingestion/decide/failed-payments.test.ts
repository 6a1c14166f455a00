import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { recordFailedPayments } from '../../../../activities/ingestion/decide/failed-payments.ts';
import { ingestListedPayments } from '../../../../activities/ingestion/decide/ingest-payments.ts';
import { createIngestionActivities } from '../../../../activities/ingestion/index.ts';
import { EventId } from '../../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../../domain/payment.ts';
import {
  anAlphaConnection,
  aRule,
  aTenant,
  aUser,
  testPolicy,
} from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { eventRows } from '../../../support/providers/events.ts';
import { anAlphaGateway } from '../../../support/providers/providers.ts';
import { activityDeps } from '../../../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;
const at = new Date('2026-01-15T10:00:00Z');

it('stores a listed payment that failed as an event, whose payment is fetched later', async () => {
  const email = `${randomUUID()}@example.com`;
  const userId = await aUser(db, { email });
  const tenantId = await aTenant(db);
  await aRule(db, tenantId);
  await anAlphaConnection(db, { tenantId, merchantId: `M-${randomUUID()}` });
  const payment: NormalizedPayment = {
    provider: 'alpha',
    providerPaymentId: 'P1',
    state: 'settled',
    currency: 'EUR',
    amountMinorUnits: 100,
    tipMinorUnits: 0,
    refundedMinorUnits: 0,
    locationId: null,
    occurredAt: at,
    changedAt: at,
    providerCustomerId: null,
    email,
    phone: null,
  };
  const broken = { ...payment, locationId: 'NUL\u0000' };
  const items = [broken, { ...payment, providerPaymentId: 'P2' }].map((each) => ({
    tenantId,
    payment: each,
  }));
  for (let poll = 0; poll < 2; poll++) {
    expect(await ingestListedPayments(db, items, testPolicy)).toMatchObject({ failed: 1 });
  }
  const events = await eventRows(db).where({ tenantId });
  expect(events).toMatchObject([{ processed: false, attempts: 1 }]);
  expect(events[0].lastError).toMatch(/^Postgres refused it: 22/);

  const alpha = { ...anAlphaGateway(), findPayment: async () => payment };
  const activities = createIngestionActivities(activityDeps(db, { alpha }));
  const ids = [EventId.parse(events[0].id)];
  expect(await activities.ingestEvents(ids)).toMatchObject({ needProvider: ids });
  const fetching = new MockActivityEnvironment();
  const fetched = await fetching.run(activities.ingestEventsWithProvider, ids);
  expect(fetched).toMatchObject({ counts: { credited: 1, failed: 0 } });
  expect(await db('wallets').where({ tenantId, userId }).first()).toMatchObject({ balance: 200 });
});

it('stores nothing for a tenant that is no longer connected', async () => {
  const tenantId = await aTenant(db);
  await recordFailedPayments(db, { tenantId, provider: 'alpha' }, [
    { providerPaymentId: 'P1', changedAt: at, error: 'Postgres refused it: 22021' },
  ]);
  expect(await eventRows(db).where({ tenantId })).toEqual([]);
});
