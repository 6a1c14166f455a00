import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import * as ledger from '../../../db/ledger/postings.ts';
import { getTrail, listByProviderId } from '../../../db/payments/trail.ts';
import { PaymentId } from '../../../domain/ids.ts';
import {
  aDebit,
  anAlphaConnection,
  anAlphaEvent,
  aTenant,
  aWallet,
  required,
  storedEvents,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aCreditedPayment } from '../../support/points/payments.ts';
import { closeEvents } from '../../support/providers/events.ts';

const database = await useDatabase();
const { db } = database;

it('returns a payment with its events, its entries and its connection', async () => {
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId: 'M1' });
  const walletId = await aWallet(db, { tenantId, balance: 5 });
  const id = await aCreditedPayment(db, walletId, 40);
  await aCreditedPayment(db, walletId, 1);
  const refund = { sourceType: 'payment', reason: 'payment_refunded', sourceId: id } as const;
  await db.transaction((tx) => ledger.post(tx, [{ ...aDebit(walletId, 10), ...refund }]));
  await db('payments').where({ id }).update({ pointsReversed: 10, refundedMinorUnits: 10 });
  const [eventId] = await storedEvents(db, 'M1', [anAlphaEvent('M1'), anAlphaEvent('M1')]);
  await closeEvents(db, [required(eventId)], { paymentId: id });

  const connection = await db('pos_connections').where({ tenantId }).first<{ id: string }>('id');
  const trail = await getTrail(db, id);
  expect(trail).toMatchObject({
    payment: { id, tenantId, walletId, pointsAwarded: 40, pointsReversed: 10, decision: {} },
    events: [{ id: eventId }],
    entries: [
      { seq: 2, reason: 'purchase', points: 40, balanceAfter: 45 },
      { seq: 4, reason: 'payment_refunded', points: 10, balanceAfter: 36 },
    ],
    connectionId: required(connection).id,
  });
  expect(trail.payment).not.toHaveProperty('emailFingerprint');
});

it('returns no events and connection where there are none; NOT_FOUND when unknown', async () => {
  const tenantId = await aTenant(db);
  const id = await aCreditedPayment(db, await aWallet(db, { tenantId }), 2);
  expect(await getTrail(db, id)).toMatchObject({ events: [], connectionId: null });
  await expect(getTrail(db, PaymentId.parse(randomUUID()))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

it('finds a payment by the provider’s id', async () => {
  const id = await aCreditedPayment(db, await aWallet(db), 2);
  expect(await listByProviderId(db, `PAY_${id}`)).toEqual([id]);
  expect(await listByProviderId(db, 'PAY_NONE')).toEqual([]);
});

it('finds a provider’s id at all tenants, oldest first, or at one', async () => {
  const [later, earlier] = [await aTenant(db), await aTenant(db)];
  const ids = [];
  for (const [tenantId, createdAt] of [
    [later, new Date()],
    [earlier, new Date(0)],
  ] as const) {
    const id = await aCreditedPayment(db, await aWallet(db, { tenantId }), 2);
    await db('payments').where({ id }).update({ providerPaymentId: 'PAY_SHARED', createdAt });
    ids.push(id);
  }
  expect(await listByProviderId(db, 'PAY_SHARED')).toEqual([...ids].reverse());
  expect(await listByProviderId(db, 'PAY_SHARED', later)).toEqual(ids.slice(0, 1));
  expect(await listByProviderId(db, 'PAY_SHARED', await aTenant(db))).toEqual([]);
});
