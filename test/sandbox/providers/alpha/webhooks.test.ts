import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { RETRY_MINUTES } from '../../../../sandbox/providers/alpha/deliveries.ts';
import { signWebhook } from '../../../../sandbox/providers/alpha/events.ts';
import { ALPHA_EVENT } from '../../../support/providers/recorded-alpha.ts';
import { useStops } from '../../fixtures.ts';
import { startWithReceiver } from './client.ts';

const signatureKey = 'alpha-test-signature-key';
const stopAfterwards = useStops();

async function connected(
  answer?: (response: ServerResponse, attempt: number) => void,
  answerTimeoutMs = 10_000,
) {
  const options = { signatureKey, minuteMs: 0.01, answerTimeoutMs };
  const { alpha, receiver, stop } = await startWithReceiver(options, answer);
  stopAfterwards(stop);
  const merchant = alpha.addMerchant({ name: 'Café ☕' });
  alpha.issueToken(merchant.id);
  return { alpha, merchant, receiver };
}

const EXAMPLE_URL = 'https://loyalty.example.test/api/v1/webhooks/alpha';
const EXAMPLE_BODY = JSON.stringify(ALPHA_EVENT);
const NON_ASCII_BODY = JSON.stringify({
  merchant_id: 'MLALPHA000001',
  type: 'payment.created',
  event_id: '0b6f6a38-1f7e-4a6e-9d5c-6f0d5e2f0c11',
  created_at: '2026-01-15T10:00:01Z',
  data: {
    type: 'payment',
    id: 'P1',
    object: {
      payment: {
        id: 'P1',
        note: 'Café ☕ – naïve',
        amount_money: { amount: 100, currency: 'EUR' },
        status: 'APPROVED',
      },
    },
  },
});
const VECTOR_A_BODY = JSON.stringify({
  merchant_id: 'MLEFBHHSJGVHD',
  type: 'webhooks.test_notification',
  event_id: 'ac3ac95b-f97d-458c-a6e6-18981597e05f',
  created_at: '2022-07-13T20:30:59.037339943Z',
  data: { type: 'webhooks', id: 'bc368e64-01aa-407e-b46e-3231809b1129' },
});

describe('signWebhook', () => {
  it.each([
    {
      because: 'signs the worked example',
      signatureKey,
      notificationUrl: EXAMPLE_URL,
      body: EXAMPLE_BODY,
      signature: '23/XEj0qXAlGWlveAlCJ6g/bq03/KDJAn1cv8jOja7M=',
    },
    {
      because: 'signs a body that is not ASCII',
      signatureKey,
      notificationUrl: EXAMPLE_URL,
      body: NON_ASCII_BODY,
      signature: 'faHAhGE/11jsCWUUqGkEzqY6pvFIGtr1VH30jCRa814=',
    },
    {
      because: 'signs another URL differently',
      signatureKey,
      notificationUrl: `${EXAMPLE_URL}/`,
      body: EXAMPLE_BODY,
      signature: 'jNBeS1ZuPq+ZnEmz1W2HVtjv1LkVv4ibGuB8PpQk1rU=',
    },
    {
      because: 'signs official vector A',
      signatureKey: 'Ibxx_5AKakO-3qeNVR61Dw',
      notificationUrl: 'https://webhook.site/679a4f3a-dcfa-49ee-bac5-9d0edad886b9',
      body: VECTOR_A_BODY,
      signature: 'GF4YkrJgGBDZ9NIYbNXBnMzqb2HoL4RW/S6vkZ9/2N4=',
    },
    {
      because: 'signs official vector B',
      signatureKey: 'signature-key',
      notificationUrl: 'https://webhook.site/webhooks',
      body: '{"data":{"type":"webhooks","id":"fake_id"}}',
      signature: 'W3FlCNk5IA3ZQ2LHTWoajvzfaDu/OwY2tNHIHC3IUOA=',
    },
    {
      because: 'signs official vector C',
      signatureKey: 'signature-key',
      notificationUrl: 'https://webhook.site/webhooks',
      body: '{"data":{"type":"webhooks","id":">id<"}}',
      signature: 'Cxt7+aTi4rKgcA0bC4g9EHdVtLSDWdqccmL5MvihU4U=',
    },
    {
      because: 'signs official vector D',
      signatureKey: 'asdf1234',
      notificationUrl: 'https://example.com/webhook',
      body: '{"hello":"world"}',
      signature: '2kRE5qRU2tR+tBGlDwMEw2avJ7QM4ikPYD/PJ3bd9Og=',
    },
  ])('$because', ({ signature, ...message }) => {
    expect(signWebhook(message)).toBe(signature);
  });
});

describe('a delivered event', () => {
  it('is signed over URL and body, with the headers of a first attempt', async () => {
    const { alpha, merchant, receiver } = await connected();
    const buyerEmail = 'zoë@example.com';
    alpha.ring({ merchantId: merchant.id, amount: 1250, buyerEmail, capture: 'at-once' });
    await alpha.idle();

    const [event] = receiver.received;
    const signed = createHmac('sha256', signatureKey).update(receiver.url + event?.body);
    expect(event?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-alpha-hmacsha256-signature': signed.digest('base64'),
      'x-alpha-event-type': 'payment.created',
      'alpha-environment': 'Sandbox',
      'alpha-initial-delivery-timestamp': expect.stringMatching(/Z$/),
    });
    expect(event?.headers).not.toHaveProperty('alpha-retry-number');
    expect(event?.headers).not.toHaveProperty('alpha-retry-reason');
    expect(event?.body).toBe(JSON.stringify(JSON.parse(event?.body ?? '')));
  });

  it('contains the merchant, its type and the whole payment', async () => {
    const { alpha, merchant, receiver } = await connected();
    const sale = { merchantId: merchant.id, amount: 1250, tip: 150, currency: 'EUR' };
    const payment = alpha.ring({ ...sale, capture: 'at-once' });
    await alpha.idle();

    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({
      merchant_id: merchant.id,
      type: 'payment.created',
      event_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/),
      created_at: expect.stringMatching(/Z$/),
      data: { type: 'payment', id: payment.id, object: { payment } },
    });
  });

  it('is retried with the same id, body and signature until accepted', async () => {
    const { alpha, merchant, receiver } = await connected((response, attempt) => {
      response.statusCode = attempt === 1 ? 500 : attempt === 2 ? 302 : 204;
      response.end();
    });
    alpha.ring({ merchantId: merchant.id, amount: 1, capture: 'at-once' });
    await alpha.idle();

    const of = (name: string) => receiver.received.map(({ headers }) => headers[name]);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(of('x-alpha-hmacsha256-signature')).size).toBe(1);
    expect(new Set(of('alpha-initial-delivery-timestamp')).size).toBe(1);
    expect(of('alpha-retry-number')).toEqual([undefined, '1', '2']);
    expect(of('alpha-retry-reason')).toEqual([undefined, 'http_error', 'http_error']);
    expect(alpha.journal()).toMatchObject([
      { attempt: 1, outcome: 'refused', status: 500 },
      { attempt: 2, outcome: 'refused', status: 302 },
      { attempt: 3, outcome: 'accepted', status: 204 },
    ]);
  });

  it('is given up after eleven retries', async () => {
    const { alpha, merchant, receiver } = await connected((response) => {
      response.statusCode = 401;
      response.end('{"code":"UNAUTHORIZED"}');
    });
    alpha.ring({ merchantId: merchant.id, amount: 1, capture: 'at-once' });
    await alpha.idle();

    expect(RETRY_MINUTES).toEqual([1, 2, 4, 8, 16, 32, 60, 120, 240, 480, 480]);
    expect(receiver.received).toHaveLength(12);
    expect(alpha.journal().at(-1)).toMatchObject({ answer: '{"code":"UNAUTHORIZED"}' });
  });

  it('is retried when no response comes in time', async () => {
    const { alpha, merchant, receiver } = await connected((response, attempt) => {
      if (attempt > 1) response.end();
    }, 500);
    alpha.ring({ merchantId: merchant.id, amount: 1, capture: 'at-once' });
    await alpha.idle();
    expect(receiver.received[1]?.headers['alpha-retry-reason']).toBe('http_timeout');
    const outcomes = alpha.journal().map((entry) => entry.kind === 'delivery' && entry.outcome);
    expect([outcomes[0], outcomes.at(-1)]).toEqual(['unreachable', 'accepted']);
  });

  it('is unreachable when there is no receiver', async () => {
    const { alpha, merchant, receiver } = await connected();
    await receiver.stop();
    alpha.ring({ merchantId: merchant.id, amount: 1, capture: 'at-once' });
    await alpha.idle();
    const [entry] = alpha.journal();
    expect(entry).toMatchObject({
      outcome: 'unreachable',
      note: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('is delivered again on request, with the same id', async () => {
    const { alpha, merchant, receiver } = await connected();
    alpha.ring({ merchantId: merchant.id, amount: 1, capture: 'at-once' });
    await alpha.idle();
    const eventId = JSON.parse(receiver.received[0]?.body ?? '').event_id;
    for (let n = 0; n < 10; n++) alpha.redeliver(eventId);
    await alpha.idle();
    expect(receiver.received).toHaveLength(11);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  it('is withheld with a note while no token allows the app to read payments', async () => {
    const { alpha, receiver } = await connected();
    const other = alpha.addMerchant({ name: 'Not connected' });
    alpha.issueToken(other.id, { scopes: ['CUSTOMERS_READ'] });
    alpha.ring({ merchantId: other.id, amount: 1, capture: 'at-once' });
    await alpha.idle();
    expect(receiver.received).toEqual([]);
    expect(alpha.journal()).toMatchObject([
      { outcome: 'withheld', note: expect.stringContaining('PAYMENTS_READ') },
    ]);
  });
});
