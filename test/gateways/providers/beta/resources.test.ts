import { describe, expect, it } from 'vitest';
import {
  readBetaCustomer,
  readBetaMerchant,
  readBetaOrder,
  readBetaPayment,
} from '../../../../gateways/providers/beta/resources.ts';
import { InvalidPayload } from '../../../../gateways/providers/shared/error.ts';

const PAYMENT = {
  id: 'BETAPAY000001',
  order: {
    id: 'BETAORD000001',
    currency: 'EUR',
    total: 1250,
    state: 'locked',
    paymentState: 'PAID',
  },
  device: { id: '1f6c2f0e-3c1a-4e0b-9c58-0d8f5f0a7c11' },
  tender: { id: 'BETATEND00001' },
  amount: 1250,
  tipAmount: 150,
  taxAmount: 208,
  cashbackAmount: 0,
  employee: { id: 'BETAEMPL00001' },
  createdTime: 1768471200000,
  clientCreatedTime: 1768471199500,
  modifiedTime: 1768471203000,
  offline: false,
  result: 'SUCCESS',
  refunds: { elements: [] },
};
/** Reads the payment with some fields changed, or removed where undefined. */
const read = (changes: object = {}) =>
  readBetaPayment(JSON.parse(JSON.stringify({ ...PAYMENT, ...changes })));

describe('readBetaPayment', () => {
  it('converts a payment to our model', () => {
    expect(read()).toEqual({
      provider: 'beta',
      providerPaymentId: 'BETAPAY000001',
      state: 'settled',
      amountMinorUnits: 1250,
      tipMinorUnits: 150,
      refundedMinorUnits: 0,
      occurredAt: new Date('2026-01-15T10:00:00.000Z'),
      changedAt: new Date('2026-01-15T10:00:03.000Z'),
      locationId: null,
      order: { id: 'BETAORD000001', currency: 'EUR', customerId: null, paymentIds: [] },
    });
  });

  // A real contactless card payment, which was never modified: it has no modifiedTime.
  it('reads a payment as a point-of-sale device took it', () => {
    const payment = {
      amount: 101,
      attributes: { source_type: 'card_present', is_quick_chip: 'false', tip_source: 'disabled' },
      cardTransaction: {
        authCode: 'OK2728',
        cardType: 'VISA',
        entryType: 'EMV_CONTACTLESS',
        last4: '1111',
        state: 'CLOSED',
        type: 'AUTH',
        extra: { cvmResult: 'NO_CVM_REQUIRED' },
      },
      createdTime: 1748545672630,
      employee: { id: 'DFLTEMPLOYEE' },
      externalPaymentId: '432c29d5af474c08a6a08db3d6b1698e',
      id: '2BRTK9PFEDEPE',
      offline: false,
      order: { id: 'V6SA5297FEQ4C' },
      result: 'SUCCESS',
      taxAmount: 0,
      tender: { id: '78Z018QR7RPQC', label: 'Credit Card', opensCashDrawer: false },
      tipAmount: 0,
    };
    const time = new Date(1748545672630);
    expect(readBetaPayment(payment)).toMatchObject({
      providerPaymentId: '2BRTK9PFEDEPE',
      state: 'settled',
      amountMinorUnits: 101,
      occurredAt: time,
      changedAt: time,
      refundedMinorUnits: 0,
      order: { id: 'V6SA5297FEQ4C', currency: null, customerId: null },
    });
  });

  it('reads a payment with empty references and flat lists', () => {
    const empty = { order: {}, device: {}, tender: {}, employee: {}, voidPaymentRef: {} };
    const skeleton = { ...empty, refunds: [], additionalCharges: [], voidReason: 'USER_CANCEL' };
    expect(read(skeleton)).toMatchObject({ order: null, state: 'settled', refundedMinorUnits: 0 });
  });

  it('is voided by the payment that voids it, whatever its result still says', () => {
    expect(read({ voidPaymentRef: { id: 'V' } }).state).toBe('voided');
    expect(read({ voidPaymentRef: { id: 'V' }, result: 'FAIL' }).state).toBe('failed');
  });

  it('requires only id, result, time and amount', () => {
    const { id, amount, createdTime } = PAYMENT;
    expect(readBetaPayment({ id, amount, createdTime, result: 'AUTH' })).toEqual({
      provider: 'beta',
      providerPaymentId: id,
      state: 'pending',
      order: null,
      amountMinorUnits: 1250,
      tipMinorUnits: 0,
      refundedMinorUnits: 0,
      locationId: null,
      occurredAt: new Date(createdTime),
      changedAt: new Date(createdTime),
    });
  });

  it.each([
    { result: 'SUCCESS', state: 'settled' },
    { result: 'AUTH_COMPLETED', state: 'settled' },
    { result: 'VOIDED', state: 'voided' },
    { result: 'FAIL', state: 'failed' },
    { result: 'INITIATED', state: 'pending' },
    { result: 'PENDING', state: 'pending' },
    { result: 'AUTH', state: 'pending' },
    { result: 'OFFLINE_RETRYING', state: 'pending' },
    { result: 'VOIDING', state: 'pending' },
    { result: 'VOID_FAILED', state: 'pending' },
    { result: 'DISCOUNT', state: 'pending' },
    { result: 'ON_THE_MOON', state: 'pending' },
    { result: 'success', state: 'pending' },
  ])('$result is $state', ({ result, state }) => {
    expect(read({ result }).state).toBe(state);
  });

  it('dates a payment by the server, since the time of a till can be chosen', () => {
    for (const clientCreatedTime of [1768300200000, undefined, null, 0, 1768300200, 'yesterday']) {
      const payment = read({ offline: true, clientCreatedTime });
      expect(payment.occurredAt).toEqual(new Date(PAYMENT.createdTime));
    }
  });

  it('sums the refunds so far, without the tips', () => {
    const refunds = (...elements: object[]) => read({ refunds: { elements } }).refundedMinorUnits;
    expect(refunds({ id: 'R1', amount: 250, taxAmount: 40 }, { amount: 100 })).toBe(350);
    expect(refunds({ amount: 1400, tipAmount: 150 })).toBe(1250);
    expect(refunds({ amount: 100, tipAmount: 150 })).toBe(0);
    expect(refunds({ amount: 250, voided: true }, { amount: 100, voided: false })).toBe(100);
    expect(refunds({ amount: 250, status: 'FAIL' }, { amount: 9, status: 'SUCCESS' })).toBe(9);
    for (const status of ['PENDING', 'INITIATED', 'VOIDING', 'VOIDED', 'DECLINED', 'FAILED']) {
      expect(refunds({ amount: 250, status }, { amount: 9, status: 'NEW_WORD' })).toBe(9);
    }
    expect(refunds({ amount: 250, status: 'VOID_FAILED' })).toBe(250);
    expect(read({ refunds: [{ amount: 7 }] }).refundedMinorUnits).toBe(7);
    expect(read({ refunds: undefined }).refundedMinorUnits).toBe(0);
  });

  it('reads the customer of an included order', () => {
    const customers = { elements: [{ id: 'BETACUST00001' }, { id: 'BETACUST00002' }] };
    const embedded = read({ order: { ...PAYMENT.order, customers } }).order;
    expect(embedded?.customerId).toBe('BETACUST00001');
    expect(read({ order: { id: 'O', customers: [{}, { id: 'C' }] } }).order?.customerId).toBe('C');
  });

  it('accepts an amount of zero', () => {
    expect(read({ amount: 0 }).amountMinorUnits).toBe(0);
  });

  it.each([
    { change: { amount: -1 }, at: 'amount' },
    { change: { amount: 12.5 }, at: 'amount' },
    { change: { amount: '1250' }, at: 'amount' },
    { change: { amount: undefined }, at: 'amount' },
    { change: { amount: 2 ** 53 }, at: 'amount' },
    { change: { tipAmount: -1 }, at: 'tipAmount' },
    { change: { id: '' }, at: 'id' },
    { change: { result: undefined }, at: 'result' },
    { change: { createdTime: undefined }, at: 'createdTime' },
    { change: { createdTime: 1768471200 }, at: 'createdTime' },
    { change: { createdTime: 1768471200000000 }, at: 'createdTime' },
    { change: { createdTime: '2026-01-15T10:00:00Z' }, at: 'createdTime' },
    { change: { modifiedTime: 1768471203 }, at: 'modifiedTime' },
    { change: { refunds: { elements: [{ amount: -1 }] } }, at: 'refunds.elements.0.amount' },
    { change: { refunds: 'none' }, at: 'refunds' },
    { change: { order: { id: 'O', currency: 'euro' } }, at: 'order.currency' },
  ])('refuses $change', ({ change, at }) => {
    expect(() => read(change)).toThrow(new InvalidPayload(`Invalid beta payload: ${at}.`));
  });
});

describe('readBetaOrder', () => {
  it('reads the currency, the first customer and the payments', () => {
    const order = {
      ...PAYMENT.order,
      customers: { elements: [{ id: 'BETACUST00001', firstName: 'Ada', lastName: 'Byron' }] },
      payments: { elements: [PAYMENT, { id: 'BETAPAY000002' }] },
    };
    expect(readBetaOrder(order)).toEqual({
      id: 'BETAORD000001',
      currency: 'EUR',
      customerId: 'BETACUST00001',
      paymentIds: ['BETAPAY000001', 'BETAPAY000002'],
    });
  });

  it('reads flat, empty and missing lists', () => {
    const none = { id: 'O', currency: null, customerId: null, paymentIds: [] };
    expect(readBetaOrder({ id: 'O' })).toEqual(none);
    expect(readBetaOrder({ id: 'O', customers: [], payments: {}, currency: null })).toEqual(none);
    expect(readBetaOrder({ id: 'O', customers: { elements: null } })).toEqual(none);
    expect(readBetaOrder({ id: 'O', payments: [{ id: 'P' }] }).paymentIds).toEqual(['P']);
  });

  it.each([{}, null, { id: 7 }, { id: 'O', customers: 'x' }, { message: 'Not Found' }])(
    'refuses %j',
    (resource) => {
      expect(() => readBetaOrder(resource)).toThrow(InvalidPayload);
    },
  );
});

describe('readBetaCustomer', () => {
  const mail = (emailAddress: unknown, primaryEmail?: boolean) => ({ emailAddress, primaryEmail });
  const emailOf = (...elements: object[]) =>
    readBetaCustomer({ id: 'C', emailAddresses: { elements } }).email;

  it('returns the contacts as they were written', () => {
    const customer = {
      id: 'BETACUST00001',
      firstName: 'Ada',
      lastName: 'Byron',
      emailAddresses: { elements: [{ id: 'M', ...mail('Ada@Example.com', true) }] },
      phoneNumbers: { elements: [{ id: 'T', phoneNumber: '(212) 555-0101' }] },
    };
    expect(readBetaCustomer(customer)).toEqual({
      id: 'BETACUST00001',
      email: 'Ada@Example.com',
      phone: '(212) 555-0101',
    });
  });

  it('prefers the primary e-mail, else the first that is not empty', () => {
    expect(emailOf(mail('a@x.y'), mail('b@x.y', true))).toBe('b@x.y');
    expect(emailOf(mail('a@x.y', false), mail('b@x.y'))).toBe('a@x.y');
    expect(emailOf(mail(''), mail(null), mail('  ', true), mail('b@x.y'))).toBe('b@x.y');
    expect(emailOf({ primaryEmail: null, emailAddress: 'a@x.y' })).toBe('a@x.y');
  });

  it('takes the first phone that is not empty, from flat lists as well', () => {
    const phoneNumbers = [{ phoneNumber: '' }, { phoneNumber: '1' }, { phoneNumber: '2' }];
    expect(readBetaCustomer({ id: 'C', phoneNumbers }).phone).toBe('1');
  });

  it('returns null for missing contacts', () => {
    const none = { id: 'C', email: null, phone: null };
    expect(readBetaCustomer({ id: 'C', firstName: 'Ada' })).toEqual(none);
    expect(readBetaCustomer({ id: 'C', emailAddresses: [], phoneNumbers: [] })).toEqual(none);
  });

  it.each([{}, null, { id: 'C', emailAddresses: { elements: [{ emailAddress: 7 }] } }])(
    'refuses %j',
    (resource) => {
      expect(() => readBetaCustomer(resource)).toThrow(InvalidPayload);
    },
  );

  it('names the invalid field, but not the contact in it', () => {
    const emailAddresses = [{ emailAddress: 'ada@example.com'.repeat(30) }];
    expect(() => readBetaCustomer({ id: 'C', emailAddresses })).not.toThrow(/ada/);
    expect(() => readBetaCustomer({ id: 'C', emailAddresses })).toThrow(/emailAddresses/);
  });
});

describe('readBetaMerchant', () => {
  it('reads the currency of the merchant, or of its properties', () => {
    expect(readBetaMerchant({ id: 'M', defaultCurrency: 'EUR' })).toEqual({
      id: 'M',
      name: null,
      currency: 'EUR',
      country: null,
    });
    expect(readBetaMerchant({ id: 'M', properties: { defaultCurrency: 'USD' } })).toEqual({
      id: 'M',
      name: null,
      currency: 'USD',
      country: null,
    });
    expect(readBetaMerchant({ id: 'M', name: 'Shop', owner: {} })).toEqual({
      id: 'M',
      name: 'Shop',
      currency: null,
      country: null,
    });
  });

  it.each([
    [{ country: 'CH' }, 'CH'],
    [{ country: 'us' }, 'US'],
    [{ country: 'Atlantis' }, null],
    [{ href: 'https://beta.example/address' }, null],
    ['somewhere', null],
  ])('reads the country of the address %j as %s', (address, country) => {
    expect(readBetaMerchant({ id: 'M', address })).toMatchObject({ country });
  });

  it.each([{}, null, [], { id: '' }, { id: 'M', defaultCurrency: 7 }])('refuses %j', (resource) => {
    expect(() => readBetaMerchant(resource)).toThrow(InvalidPayload);
  });
});
