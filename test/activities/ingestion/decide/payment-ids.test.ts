import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { recordFailedPayments } from '../../../../activities/ingestion/decide/failed-payments.ts';
import { ingestEventBatch } from '../../../../activities/ingestion/events/ingest-events.ts';
import { listOfPayment } from '../../../../db/events/operations.ts';
import type { EventId, TenantId } from '../../../../domain/ids.ts';
import { readAlphaReport } from '../../../../gateways/providers/alpha/payloads.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aTenant,
  required,
  storedEvents,
  testPolicy,
} from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { ageEvent } from '../../../support/providers/events.ts';

const { db } = await useDatabase();

let tenantId: TenantId;
let merchantId: string;
beforeEach(async () => {
  tenantId = await aTenant(db);
  merchantId = `M-${randomUUID()}`;
  await anAlphaConnection(db, { tenantId, merchantId });
});

const bodyOf = (id: string, amount = 100) => anAlphaEvent(merchantId, { id, amount });
const stored = (...payments: string[]) =>
  storedEvents(
    db,
    merchantId,
    payments.map((id) => bodyOf(id)),
  );
const paymentOf = (id: string) => {
  const reading = readAlphaReport(bodyOf(id));
  if (reading.kind !== 'payment') throw new Error(`The event is one of ${reading.kind}.`);
  return reading.payment;
};
const ingest = (ids: readonly EventId[], resolved = new Map()) =>
  ingestEventBatch(db, ids, resolved, testPolicy);
const paymentIds = () =>
  db('payments').where({ tenantId }).orderBy('providerPaymentId').pluck('id');

describe('the id of a payment', () => {
  it('is that of the event that reports it first, and leads to all its events', async () => {
    const [first, again] = await stored('P1', 'P1');
    await ingest([required(first)]);
    await ingest([required(again)]);
    expect(await paymentIds()).toEqual([first]);
    const events = await listOfPayment(db, required((await paymentIds())[0]));
    expect(events).toMatchObject([
      { id: first, outcome: 'stored_anonymous', paymentId: first },
      { id: again, outcome: 'duplicate', paymentId: first },
    ]);
  });

  it('is that of one of several events that report it at the same moment', async () => {
    const ids = await stored('P1', 'P1', 'P1', 'P1');
    await Promise.all(ids.map((id) => ingest([id])));
    const [paymentId, ...others] = await paymentIds();
    expect(others).toEqual([]);
    expect(ids).toContain(paymentId);
    expect((await listOfPayment(db, required(paymentId))).map(({ id }) => id).sort()).toEqual(ids);
  });

  it('is a new one when its event reports several payments', async () => {
    const [id] = await stored('P1');
    const payments = [paymentOf('P1'), paymentOf('P2')];
    await ingest([required(id)], new Map([[id, { payments, isComplete: true }]]));
    const ids = await paymentIds();
    expect(new Set([...ids, id]).size).toBe(3);
    expect(await listOfPayment(db, required(ids[0]))).toMatchObject([{ id }]);
  });

  it('is a new one while its event may report others, which then cannot get the same', async () => {
    const [id] = await stored('P1');
    const one = (payment: string, isComplete: boolean) =>
      new Map([[id, { payments: [paymentOf(payment)], isComplete }]]);
    await ingest([required(id)], one('P1', false));
    await ingest([required(id)], one('P2', true));
    const [first, second] = await paymentIds();
    expect(first).not.toBe(id);
    expect(second).toBe(id);
  });

  it('is one that ascends with time, also when its poll had failed', async () => {
    const changedAt = new Date();
    await recordFailedPayments(db, { tenantId, provider: 'alpha' }, [
      { providerPaymentId: 'P1', changedAt, error: 'A defect.' },
    ]);
    const [id] = await db('pending_events').where({ tenantId }).pluck('id');
    await ingest([id], new Map([[id, { payments: [paymentOf('P1')], isComplete: true }]]));
    const [paymentId] = await paymentIds();
    expect([id, paymentId].map((each) => each.charAt(14))).toEqual(['8', '7']);
    expect(await listOfPayment(db, paymentId)).toMatchObject([{ id }]);
  });

  it('is a new one when its event has waited: ids of old times are not looked for', async () => {
    const [id] = await stored('P1');
    await ageEvent(db, required(id), '2 minutes');
    await ingest([required(id)]);
    const [paymentId] = await paymentIds();
    expect(paymentId).not.toBe(id);
    expect(await listOfPayment(db, required(paymentId))).toMatchObject([{ id }]);
  });
});
