import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAlpha } from '../../../../gateways/providers/alpha/client.ts';
import {
  readAlphaLocations,
  readAlphaPage,
  readAlphaPaymentResponse,
} from '../../../../gateways/providers/alpha/listing.ts';
import type { PaymentListing } from '../../../../gateways/providers/provider.ts';
import { InvalidPayload } from '../../../../gateways/providers/shared/error.ts';
import type { AlphaSimulator } from '../../../../sandbox/providers/alpha/simulator.ts';
import { required } from '../../../support/factories.ts';
import { startPolledAlpha } from '../../../support/providers/polled-shop.ts';

/** The payment in the published example of the listing endpoint. */
const PUBLISHED = {
  id: 'bP9mAsEMYPUGjjGNaNO5ZDVyLhSZY',
  created_at: '2021-10-13T19:34:33.524Z',
  updated_at: '2021-10-13T19:34:37.261Z',
  amount_money: { amount: 555, currency: 'USD' },
  total_money: { amount: 555, currency: 'USD' },
  approved_money: { amount: 555, currency: 'USD' },
  processing_fee: [
    {
      effective_at: '2021-10-13T21:34:35.000Z',
      type: 'INITIAL',
      amount_money: { amount: 34, currency: 'USD' },
    },
  ],
  status: 'COMPLETED',
  delay_duration: 'PT168H',
  delay_action: 'CANCEL',
  source_type: 'CARD',
  delayed_until: '2021-10-20T19:34:33.524Z',
  card_details: {
    status: 'CAPTURED',
    card: {
      card_brand: 'VISA',
      last_4: '1111',
      exp_month: 11,
      exp_year: 2022,
      bin: '411111',
      fingerprint: 'sq-1-Hxim',
      card_type: 'DEBIT',
      prepaid_type: 'NOT_PREPAID',
    },
    entry_method: 'KEYED',
    cvv_status: 'CVV_ACCEPTED',
    avs_status: 'AVS_ACCEPTED',
    card_payment_timeline: {
      authorized_at: '2021-10-13T19:34:33.680Z',
      captured_at: '2021-10-13T19:34:34.340Z',
    },
  },
  location_id: 'L88917AVBK2S5',
  order_id: 'd7eKah653Z579f3gVtjlxpSlmUcZY',
  note: 'Example Note',
  receipt_number: 'bP9m',
  team_member_id: 'TMoK_ogh6rH1o4dV',
  receipt_url: 'https://squareup.com/receipt/preview/bP9mAsEMYPUGjjGNaNO5ZDVyLhSZY',
  version_token: 'vguW2km0KpVCdAXZcNTZ438qg5LlVPTP4HO5OpiHNfa6o',
};

const page = (payments: unknown[], rest: object = {}) =>
  readAlphaPage({ payments, ...rest }, 'updated_at');

describe('readAlphaPage', () => {
  it('converts payments to our model, each with the time that it is listed by', () => {
    expect(page([PUBLISHED], { cursor: 'next' })).toEqual({
      cursor: 'next',
      payments: [
        {
          at: new Date('2021-10-13T19:34:37.261Z'),
          payment: {
            provider: 'alpha',
            providerPaymentId: PUBLISHED.id,
            state: 'settled',
            amountMinorUnits: 555,
            tipMinorUnits: 0,
            refundedMinorUnits: 0,
            currency: 'USD',
            occurredAt: new Date('2021-10-13T19:34:33.524Z'),
            changedAt: new Date('2021-10-13T19:34:37.261Z'),
            locationId: 'L88917AVBK2S5',
            providerCustomerId: null,
            email: null,
            phone: null,
          },
        },
      ],
    });
  });

  it('uses the time of creation in a listing by creation', () => {
    const { payments } = readAlphaPage({ payments: [PUBLISHED] }, 'created_at');
    expect(payments[0]?.at).toEqual(new Date('2021-10-13T19:34:33.524Z'));
  });

  it.each([
    { answer: {}, because: 'no payment matched' },
    { answer: { payments: [], cursor: '' }, because: 'an empty cursor means none' },
    { answer: { payments: null, cursor: null }, because: 'some proxies send null' },
  ])('is the last page and empty: $because', ({ answer }) => {
    expect(readAlphaPage(answer, 'updated_at')).toEqual({ payments: [], cursor: null });
  });

  it.each([
    { change: { amount_money: undefined }, id: PUBLISHED.id, at: true },
    { change: { amount_money: { amount: 1.5, currency: 'USD' } }, id: PUBLISHED.id, at: true },
    { change: { id: 7 }, id: null, at: true },
    { change: { created_at: 'yesterday' }, id: PUBLISHED.id, at: true },
    { change: { created_at: 'yesterday', updated_at: 1 }, id: PUBLISHED.id, at: false },
  ])(
    'returns an unreadable payment with what is readable, and keeps the others: $change',
    ({ change, id, at }) => {
      const { payments } = page([{ ...PUBLISHED, ...change }, PUBLISHED]);
      expect(payments).toEqual([
        {
          id,
          at: at ? new Date('2021-10-13T19:34:37.261Z') : null,
          error: expect.stringMatching(/^Invalid alpha payload: /),
        },
        expect.objectContaining({ payment: expect.anything() }),
      ]);
    },
  );

  it.each([null, 7, 'text', [], {}])('returns %j as unreadable', (item) => {
    expect(page([item]).payments).toMatchObject([{ id: null, at: null }]);
  });

  it('throws for a response that is not a page', () => {
    for (const answer of [null, [], { payments: 7 }, { cursor: 7 }]) {
      expect(() => readAlphaPage(answer, 'updated_at')).toThrow(InvalidPayload);
    }
  });
});

describe('readAlphaLocations', () => {
  it('returns each location once with its country, closed ones included', () => {
    const locations = [
      { id: '18YC4JDH91E1H', name: 'Grant Park', status: 'ACTIVE', country: 'US' },
      { id: '3Z4V4WHQK64X9', name: 'Midtown', status: 'INACTIVE' },
      { id: '18YC4JDH91E1H', country: 'US' },
    ];
    expect(readAlphaLocations({ locations })).toEqual([
      { id: '18YC4JDH91E1H', country: 'US' },
      { id: '3Z4V4WHQK64X9', country: null },
    ]);
    expect(readAlphaLocations({})).toEqual([]);
  });

  it('throws rather than skip a location, whose sales would silently be missing', () => {
    expect(() => readAlphaLocations({ locations: [{ name: 'No id' }] })).toThrow(InvalidPayload);
  });
});

describe('readAlphaPaymentResponse', () => {
  it('returns the payment, or throws', () => {
    expect(readAlphaPaymentResponse({ payment: PUBLISHED })).toMatchObject({
      amountMinorUnits: 555,
    });
    expect(() => readAlphaPaymentResponse({})).toThrow(InvalidPayload);
  });
});

describe('createAlpha, against the simulator', () => {
  let simulator: AlphaSimulator;
  let token: string;
  beforeEach(async () => {
    simulator = await startPolledAlpha();
    simulator.addMerchant({
      id: 'ML1',
      name: 'One',
      locations: [
        { id: 'MAIN', name: 'Main' },
        { id: 'SIDE', name: 'Side', inactive: true },
      ],
    });
  });
  afterEach(() => simulator.stop());

  const gateway = () => createAlpha({ environment: 'sandbox', origin: simulator.url });
  const sell = (locationId: string) =>
    simulator.ring({ merchantId: 'ML1', locationId, amount: 5, capture: 'at-once' }).id;
  const list = (options: Partial<PaymentListing> = {}) =>
    gateway().listPayments(token, {
      locationId: 'MAIN',
      from: new Date(0),
      listedBy: 'updated_at',
      cursor: null,
      ...options,
    });
  const authorize = () => {
    token = simulator.issueToken('ML1').accessToken;
  };

  it('lists locations with their countries, closed ones included', async () => {
    authorize();
    expect(await gateway().listLocations(token)).toEqual([
      { id: 'MAIN', country: 'US' },
      { id: 'SIDE', country: 'US' },
    ]);
  });

  it('finds a payment, or null', async () => {
    const id = sell('MAIN');
    authorize();
    expect(await gateway().findPayment(token, id)).toMatchObject({ providerPaymentId: id });
    expect(await gateway().findPayment(token, 'NONE')).toBeNull();
  });

  it('lists a location’s payments page by page until there is no cursor', async () => {
    const ids = Array.from({ length: 101 }, () => sell('SIDE'));
    sell('MAIN');
    authorize();
    const first = await list({ locationId: 'SIDE' });
    const second = await list({ locationId: 'SIDE', cursor: first.cursor });
    const found = [...first.payments, ...second.payments].map((item) =>
      'payment' in item ? item.payment.providerPaymentId : null,
    );
    expect(first.payments).toHaveLength(100);
    expect([...found].sort()).toEqual([...ids].sort());
    expect(second.cursor).toBeNull();
  });

  it('lists from a time on, inclusive, by time of change or of creation', async () => {
    const early = simulator.ring({ merchantId: 'ML1', amount: 5, capture: 'later' });
    simulator.capture(early.id);
    authorize();
    const [changed] = (await list()).payments;
    const at = required(changed?.at);
    expect((await list({ from: at })).payments).toHaveLength(1);
    expect((await list({ from: new Date(at.getTime() + 1) })).payments).toEqual([]);
    const created = { from: at, listedBy: 'created_at' } as const;
    expect((await list(created)).payments).toEqual([]);
  });

  it('reports the error code of a refusal', async () => {
    authorize();
    await expect(list({ cursor: 'nonsense' })).rejects.toMatchObject({
      status: 400,
      code: 'INVALID_CURSOR',
      isTransient: false,
    });
  });

  it('aborts when the caller’s signal does', async () => {
    authorize();
    await expect(gateway().listLocations(token, AbortSignal.abort())).rejects.toThrow();
  });
});
