import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newSecret, signedHeaders } from '../../gateways/webhooks/signature.ts';
import { verifyWebhook, WebhookVerificationError } from '../../sdk/index.ts';

const [secret, next] = [newSecret(), newSecret()];
const id = '0199c1f2-7b7d-7c1a-8000-000000000001';
const sentAt = new Date('2026-01-15T10:00:00Z');
const now = sentAt.getTime();
const body = JSON.stringify({
  type: 'points.credited',
  timestamp: '2026-01-15T10:00:00.000Z',
  data: { points: 12, note: 'Ünïcode ☕' },
});
const headers = signedHeaders(body, { id, sentAt, secrets: [secret] });
const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : error),
  );

describe('verifyWebhook', () => {
  it('returns the event that the service has signed, with its id', async () => {
    const event = await verifyWebhook(body, headers, secret, { now });
    expect(event).toEqual({ ...JSON.parse(body), id });
  });

  it('accepts what the library of Standard Webhooks signs', async () => {
    const signature = new Webhook(secret).sign(id, sentAt, body);
    const given = { ...headers, 'webhook-signature': signature };
    expect(await verifyWebhook(body, given, secret, { now })).toMatchObject({ id });
  });

  it.each([
    { kind: 'bytes', given: new TextEncoder().encode(body) },
    { kind: 'a Buffer', given: Buffer.from(body) },
    { kind: 'an ArrayBuffer', given: new TextEncoder().encode(body).buffer },
    { kind: 'a part of a buffer', given: Buffer.from(`..${body}..`).subarray(2, -2) },
  ])('takes the body as $kind', async ({ given }) => {
    expect(await verifyWebhook(given, new Headers(headers), secret, { now })).toMatchObject({ id });
  });

  it('accepts one of several signatures by one of several secrets', async () => {
    const both = signedHeaders(body, { id, sentAt, secrets: [secret, next] });
    for (const known of [secret, next, [newSecret(), next]]) {
      expect(await verifyWebhook(body, both, known, { now })).toMatchObject({ id });
    }
    const others = `v1a,${btoa('x')} v1,%% v1,${btoa('short')} ${both['webhook-signature']}`;
    const given = { ...both, 'webhook-signature': others };
    expect(await verifyWebhook(body, given, next, { now })).toMatchObject({ id });
  });

  it.each([
    { what: 'another body', reason: 'no_signature_matches', sent: { body: `${body} ` } },
    { what: 'another id', reason: 'no_signature_matches', sent: { 'webhook-id': 'other' } },
    { what: 'another secret', reason: 'no_signature_matches', sent: { secret: next } },
    { what: 'no secret', reason: 'no_signature_matches', sent: { secret: [] } },
    { what: 'no id', reason: 'header_missing', sent: { 'webhook-id': undefined } },
    { what: 'no signature', reason: 'header_missing', sent: { 'webhook-signature': '' } },
    { what: 'no time', reason: 'timestamp_out_of_range', sent: { 'webhook-timestamp': 'x' } },
    { what: 'a time of before', reason: 'timestamp_out_of_range', sent: { now: now + 301_000 } },
    { what: 'a time to come', reason: 'timestamp_out_of_range', sent: { now: now - 301_000 } },
  ])('refuses $what: $reason', async ({ reason, sent }) => {
    const { now: at, ...given } = { body, secret, now, ...headers, ...sent };
    const call = verifyWebhook(given.body, given, given.secret, { now: at });
    expect(await reasonOf(call)).toBe(reason);
  });

  it('finds headers in any case', async () => {
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect(await verifyWebhook(body, shouted, secret, { now })).toMatchObject({ id });
  });

  it('allows the difference of clocks that it is given', async () => {
    const late = { now: now + 301_000, toleranceSeconds: 600 };
    expect(await verifyWebhook(body, headers, secret, late)).toMatchObject({ id });
  });

  it('refuses a signed body that is no JSON, and a secret that is none', async () => {
    const text = signedHeaders('hello', { id, sentAt, secrets: [secret] });
    expect(await reasonOf(verifyWebhook('hello', text, secret, { now }))).toBe('not_json');
    await expect(verifyWebhook(body, headers, 'whsec_', { now })).rejects.toThrow(TypeError);
  });
});
