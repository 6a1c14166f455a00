import { describe, expect, it } from 'vitest';
import type { NormalizedPayment } from '../../../../domain/payment.ts';
import {
  listedPaymentBody,
  readAlphaCustomer,
  readAlphaEnvelope,
  readAlphaReport,
} from '../../../../gateways/providers/alpha/payloads.ts';
import { InvalidPayload } from '../../../../gateways/providers/shared/error.ts';
import { ALPHA_EVENT, ALPHA_PAYMENT } from '../../../support/providers/recorded-alpha.ts';

/** A body as alpha sends it. Changes fields of the payment, or removes them where undefined. */
function anEvent(payment: object = {}, envelope: object = {}): Buffer {
  const body = {
    ...ALPHA_EVENT,
    data: { ...ALPHA_EVENT.data, object: { payment: { ...ALPHA_PAYMENT, ...payment } } },
    ...envelope,
  };
  return Buffer.from(JSON.stringify(body));
}

/** The payment that an event reports. */
function paymentIn(body: Buffer): NormalizedPayment {
  const report = readAlphaReport(body);
  if (report.kind !== 'payment') throw new Error(`The event reports: ${report.kind}.`);
  return report.payment;
}
const read = (payment: object = {}) => paymentIn(anEvent(payment));

describe('listedPaymentBody', () => {
  it('is read as a payment that has to be fetched', () => {
    const body = listedPaymentBody({ merchantId: 'M1', paymentId: 'P1' });
    expect(readAlphaReport(body)).toEqual({ kind: 'refund', paymentId: 'P1' });
    expect(readAlphaEnvelope(body)).toEqual({ merchantId: 'M1', type: 'payment.listed' });
  });
});

describe('readAlphaReport', () => {
  it('converts a payment to our model', () => {
    expect(read()).toEqual({
      provider: 'alpha',
      providerPaymentId: 'PAY_ALPHA_0001',
      state: 'settled',
      amountMinorUnits: 1250,
      tipMinorUnits: 150,
      refundedMinorUnits: 0,
      currency: 'EUR',
      occurredAt: new Date('2026-01-15T10:00:00.086Z'),
      changedAt: new Date('2026-01-15T10:00:02.100Z'),
      locationId: 'LOC_ALPHA_01',
      providerCustomerId: 'CUST_ALPHA_01',
      email: null,
      phone: null,
    });
  });

  it('requires only id, status, time and amount', () => {
    const { id, status, created_at, amount_money } = ALPHA_PAYMENT;
    const payment = { id, status, created_at, amount_money };
    expect(paymentIn(anEvent({}, { data: { object: { payment } } }))).toMatchObject({
      tipMinorUnits: 0,
      refundedMinorUnits: 0,
      changedAt: new Date(created_at),
      locationId: null,
      providerCustomerId: null,
      email: null,
    });
  });

  it('treats null like a missing field', () => {
    const absent = { tip_money: null, refunded_money: null, customer_id: null, location_id: null };
    expect(read({ ...absent, buyer_email_address: null })).toMatchObject({
      tipMinorUnits: 0,
      refundedMinorUnits: 0,
      providerCustomerId: null,
      email: null,
    });
  });

  it('treats an empty customer or e-mail as missing, so that the customer is still fetched', () => {
    expect(read({ buyer_email_address: '' })).toMatchObject({ email: null });
    expect(read({ customer_id: '' })).toMatchObject({ providerCustomerId: null });
  });

  it.each([
    { status: 'COMPLETED', state: 'settled' },
    { status: 'APPROVED', state: 'pending' },
    { status: 'PENDING', state: 'pending' },
    { status: 'CANCELED', state: 'failed' },
    { status: 'FAILED', state: 'failed' },
    { status: 'ON_THE_MOON', state: 'pending' },
    { status: 'completed', state: 'pending' },
  ])('$status is $state', ({ status, state }) => {
    expect(read({ status })?.state).toBe(state);
  });

  it.each([
    { text: '2022-07-13T20:30:59.037339943Z', time: '2022-07-13T20:30:59.037Z' },
    { text: '2022-07-13T20:30:59.9999999Z', time: '2022-07-13T20:30:59.999Z' },
    { text: '2022-07-13T20:30:59.1Z', time: '2022-07-13T20:30:59.100Z' },
    { text: '2022-07-13T20:30:59Z', time: '2022-07-13T20:30:59.000Z' },
    { text: '2022-07-13T22:30:59.037339943+02:00', time: '2022-07-13T20:30:59.037Z' },
    { text: '2022-07-13T15:00:59-05:30', time: '2022-07-13T20:30:59.000Z' },
    { text: '2022-07-13T20:30:59+00:00', time: '2022-07-13T20:30:59.000Z' },
    { text: '2022-07-13T20:30:59-00:00', time: '2022-07-13T20:30:59.000Z' },
  ])('reads the time $text', ({ text, time }) => {
    const payment = read({ created_at: text, updated_at: text });
    expect(payment).toMatchObject({ occurredAt: new Date(time), changedAt: new Date(time) });
  });

  it('dates an offline payment by when it was taken, not by its upload', () => {
    const takenAt = new Date('2026-01-13T18:30:00.000Z');
    const details = { offline_payment_details: { client_created_at: '2026-01-13T18:30:00Z' } };
    expect(read({ is_offline_payment: true, ...details })?.occurredAt).toEqual(takenAt);
    expect(read(details)?.occurredAt).toEqual(takenAt);
    expect(read({ is_offline_payment: true })?.occurredAt).toEqual(
      new Date(ALPHA_PAYMENT.created_at),
    );
    expect(read({ is_offline_payment: true, offline_payment_details: {} })?.occurredAt).toEqual(
      new Date(ALPHA_PAYMENT.created_at),
    );
  });

  it('keeps amounts in minor units: a currency without decimals is not multiplied', () => {
    const yen = (amount: number) => ({ amount, currency: 'JPY' });
    expect(read({ amount_money: yen(500), tip_money: yen(50) })).toMatchObject({
      amountMinorUnits: 500,
      tipMinorUnits: 50,
      currency: 'JPY',
    });
    expect(read({ amount_money: yen(0) })?.amountMinorUnits).toBe(0);
  });

  it('reads the total refunded so far', () => {
    const refunded = { refunded_money: { amount: 250, currency: 'EUR' }, refund_ids: ['R1'] };
    expect(read(refunded)).toMatchObject({ refundedMinorUnits: 250, state: 'settled' });
  });

  it('uses the payment’s own id, not the one in the envelope', () => {
    const data = { type: 'payment', id: 'OTHER', object: { payment: ALPHA_PAYMENT } };
    expect(paymentIn(anEvent({}, { data }))?.providerPaymentId).toBe(ALPHA_PAYMENT.id);
  });

  it('accepts unknown fields and values', () => {
    const unknown = {
      source_type: 'SEASHELLS',
      risk: { level: 'NEW' },
      buyer_email_address: 'A@b.c',
    };
    expect(paymentIn(anEvent(unknown, { hello: [1] }))?.email).toBe('A@b.c');
  });

  it.each(['payment.created', 'payment.updated'])('reads a payment from %s', (type) => {
    expect(paymentIn(anEvent({}, { type }))).not.toBeNull();
  });

  it.each(['customer.created', 'payment.deleted', 'webhooks.test_notification'])(
    'reads no payment from %s, with or without data',
    (type) => {
      expect(readAlphaReport(anEvent({}, { type }))).toEqual({ kind: 'other' });
      expect(readAlphaReport(anEvent({}, { type, data: undefined }))).toEqual({ kind: 'other' });
    },
  );

  it.each(['refund.created', 'refund.updated'])('reads the payment id of %s', (type) => {
    const data = { object: { refund: { payment_id: 'P7', status: 'COMPLETED' } } };
    expect(readAlphaReport(anEvent({}, { type, data }))).toEqual({
      kind: 'refund',
      paymentId: 'P7',
    });
    expect(() => readAlphaReport(anEvent({}, { type }))).toThrow(InvalidPayload);
  });

  it.each(['refund.created', 'refund.updated'])('reads no payment from %s without one', (type) => {
    for (const named of [{}, { payment_id: null }, { payment_id: '' }]) {
      const data = { object: { refund: { ...named, unlinked: true, status: 'COMPLETED' } } };
      expect(readAlphaReport(anEvent({}, { type, data }))).toEqual({ kind: 'other' });
    }
  });

  it('reads that the merchant revoked our access', () => {
    const event = anEvent({}, { type: 'oauth.authorization.revoked', data: {} });
    expect(readAlphaReport(event)).toEqual({
      kind: 'revoked',
      merchantId: 'MLALPHA000001',
      revokedAt: new Date('2026-01-15T10:00:02.308Z'),
    });
  });

  it.each([
    { payment: { amount_money: { amount: -1, currency: 'EUR' } }, at: 'amount_money.amount' },
    { payment: { amount_money: { amount: 12.5, currency: 'EUR' } }, at: 'amount_money.amount' },
    { payment: { amount_money: { amount: '1250', currency: 'EUR' } }, at: 'amount_money.amount' },
    { payment: { amount_money: { amount: 2 ** 53, currency: 'EUR' } }, at: 'amount_money.amount' },
    { payment: { amount_money: { amount: 1250 } }, at: 'amount_money.currency' },
    { payment: { amount_money: { amount: 1250, currency: 'eur' } }, at: 'amount_money.currency' },
    { payment: { amount_money: undefined }, at: 'amount_money' },
    { payment: { tip_money: { amount: -1, currency: 'EUR' } }, at: 'tip_money.amount' },
    { payment: { refunded_money: { amount: -1, currency: 'EUR' } }, at: 'refunded_money.amount' },
    { payment: { id: '' }, at: 'id' },
    { payment: { id: 'x'.repeat(193) }, at: 'id' },
    { payment: { status: undefined }, at: 'status' },
    { payment: { created_at: undefined }, at: 'created_at' },
    { payment: { created_at: '2026-01-15' }, at: 'created_at' },
    { payment: { created_at: 1768471200 }, at: 'created_at' },
    { payment: { updated_at: '2026-02-30T10:00:00Z' }, at: 'updated_at' },
    { payment: { buyer_email_address: 'x'.repeat(321) }, at: 'buyer_email_address' },
  ])('refuses $payment', ({ payment, at }) => {
    expect(() => read(payment)).toThrow(
      new InvalidPayload(`Invalid alpha payload: data.object.payment.${at}.`),
    );
  });

  it('refuses an integer beyond the exact range of JSON numbers', () => {
    const body = anEvent().toString().replace('"amount":1250', '"amount":9007199254740993');
    expect(() => paymentIn(Buffer.from(body))).toThrow('amount_money.amount');
    const huge = anEvent().toString().replace('"amount":1250', '"amount":1e400');
    expect(() => paymentIn(Buffer.from(huge))).toThrow('amount_money.amount');
  });

  it('names every invalid field, but none of the values', () => {
    const secret = {
      buyer_email_address: 'ada@example.com'.repeat(30),
      created_at: 'ada yesterday',
    };
    expect(() => read(secret)).toThrow(/created_at, .*buyer_email_address\.$/);
    expect(() => read(secret)).not.toThrow(/ada/);
  });
});

describe('readAlphaEnvelope', () => {
  it('reads merchant and type, and requires nothing else', () => {
    expect(readAlphaEnvelope(Buffer.from('{"merchant_id":"M1","type":"x.y"}'))).toEqual({
      merchantId: 'M1',
      type: 'x.y',
    });
  });

  it('reads a body with a byte order mark', () => {
    const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), anEvent()]);
    expect(readAlphaEnvelope(body).merchantId).toBe('MLALPHA000001');
  });

  it.each([
    { body: '', because: 'it is empty' },
    { body: '{', because: 'it is cut off' },
    { body: '[]', because: 'it is a list' },
    { body: 'null', because: 'it is null' },
    { body: '"payment.updated"', because: 'it is a string' },
    { body: '{"type":"payment.updated"}', because: 'it has no merchant' },
    { body: '{"merchant_id":"","type":"payment.updated"}', because: 'its merchant is empty' },
    { body: '{"merchant_id":7,"type":"payment.updated"}', because: 'its merchant is a number' },
    { body: '{"merchant_id":"M1"}', because: 'it has no type' },
    { body: Buffer.from(anEvent().toString(), 'utf16le'), because: 'it is UTF-16' },
    { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), because: 'it is not UTF-8' },
  ])('refuses a body when $because', ({ body }) => {
    expect(() => readAlphaEnvelope(Buffer.from(body))).toThrow(InvalidPayload);
    expect(() => paymentIn(Buffer.from(body))).toThrow(InvalidPayload);
  });
});

describe('readAlphaCustomer', () => {
  it('returns the contacts as they were written', () => {
    const customer = { id: 'C1', email_address: 'Ada@Example.com', phone_number: '212 555 4240' };
    expect(readAlphaCustomer({ customer })).toEqual({
      email: 'Ada@Example.com',
      phone: '212 555 4240',
    });
  });

  it('returns no contacts for an instant profile', () => {
    const customer = { id: 'C1', given_name: 'CARD HOLDER', creation_source: 'INSTANT_PROFILE' };
    expect(readAlphaCustomer({ customer })).toEqual({ email: null, phone: null });
  });

  it('treats an empty contact as missing, so that nobody is looked for by it', () => {
    const customer = { id: 'C1', email_address: '', phone_number: '' };
    expect(readAlphaCustomer({ customer })).toEqual({ email: null, phone: null });
  });

  it.each([{}, null, [], { customer: null }, { errors: [] }, { customer: { email_address: 7 } }])(
    'refuses %j',
    (answer) => {
      expect(() => readAlphaCustomer(answer)).toThrow(InvalidPayload);
    },
  );
});
