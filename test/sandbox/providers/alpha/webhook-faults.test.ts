import { WebhooksHelper } from 'square';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AlphaSimulator } from '../../../../sandbox/providers/alpha/simulator.ts';
import type { Receiver } from '../receiver.ts';
import { startWithReceiver } from './client.ts';

const HOUR_MS = 3_600_000;
const signatureKey = 'alpha-test-signature-key';

let alpha: AlphaSimulator;
let receiver: Receiver;
let stop: () => Promise<void>;

beforeEach(() => begin());

afterEach(() => stop());

async function begin(minuteMs = 0.01): Promise<void> {
  const options = { signatureKey, seed: 9, minuteMs };
  ({ alpha, receiver, stop } = await startWithReceiver(options));
  alpha.addMerchant({ id: 'ML1', name: 'One' });
  alpha.issueToken('ML1');
}

const ring = (amount = 1) => alpha.ring({ merchantId: 'ML1', amount, capture: 'at-once' });
const ids = () => receiver.received.map(({ body }) => JSON.parse(body).event_id);
const statuses = () =>
  receiver.received.map(({ body }) => JSON.parse(body).data.object.payment.status);

/** Returns for each delivery whether its signature is valid for the registered URL. */
function verified(): Promise<boolean[]> {
  const checks = receiver.received.map(({ headers, body }) =>
    WebhooksHelper.verifySignature({
      requestBody: body,
      signatureHeader: String(headers['x-alpha-hmacsha256-signature']),
      signatureKey,
      notificationUrl: receiver.url,
    }),
  );
  return Promise.all(checks);
}

const outcomes = () =>
  alpha.journal().map((entry) => (entry.kind === 'delivery' ? entry.outcome : entry.kind));

describe('a scheduled fault', () => {
  it('the same event arrives twice, though both are accepted: duplicate', async () => {
    alpha.scheduleWebhookFault({ fault: 'duplicate' });
    ring();
    ring();
    await alpha.idle();
    expect(ids()).toHaveLength(3);
    expect(new Set(ids()).size).toBe(2);
  });

  it('COMPLETED arrives before APPROVED: reorder', async () => {
    await stop();
    await begin(HOUR_MS);
    alpha.scheduleWebhookFault({ fault: 'reorder', type: 'payment.created' });
    const { id } = alpha.ring({ merchantId: 'ML1', amount: 1, capture: 'later' });
    ring();
    await expect.poll(() => receiver.received.length).toBe(1);
    alpha.capture(id);
    await alpha.idle();
    expect(statuses()).toEqual(['COMPLETED', 'COMPLETED', 'APPROVED']);
  });

  it('an event without a successor arrives after a minute: reorder', async () => {
    alpha.scheduleWebhookFault({ fault: 'reorder' });
    ring();
    await alpha.idle();
    expect(receiver.received).toHaveLength(1);
  });

  it('the event arrives after the next one: delay', async () => {
    await stop();
    await begin(100);
    alpha.scheduleWebhookFault({ fault: 'delay', minutes: 10 });
    const [late, prompt] = [ring(), ring()];
    await alpha.idle();
    const about = receiver.received.map(({ body }) => JSON.parse(body).data.id);
    expect(about).toEqual([prompt.id, late.id]);
  });

  it('the attempt counts as timed out and is retried: drop', async () => {
    alpha.scheduleWebhookFault({ fault: 'drop', times: 2 });
    ring();
    await alpha.idle();
    expect(outcomes()).toEqual(['dropped', 'dropped', 'accepted']);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.headers).toMatchObject({
      'alpha-retry-number': '2',
      'alpha-retry-reason': 'http_timeout',
    });
  });

  it('the event never arrives and is not retried: dropForGood', async () => {
    alpha.scheduleWebhookFault({ fault: 'dropForGood' });
    ring();
    await alpha.idle();
    expect(outcomes()).toEqual(['dropped']);
    expect(receiver.received).toEqual([]);
  });

  it('only events of the named type and object are affected', async () => {
    const { id } = ring();
    alpha.scheduleWebhookFault({ fault: 'dropForGood', type: 'payment.updated', objectId: id });
    alpha.refund(ring(100).id, 50);
    alpha.setTip(id, 5);
    await alpha.idle();
    expect(outcomes().filter((outcome) => outcome === 'dropped')).toHaveLength(1);
    expect(receiver.received).toHaveLength(5);
  });

  it.each(['wrongKey', 'trailingSlash'] as const)('the signature is wrong: %s', async (fault) => {
    alpha.scheduleWebhookFault({ fault });
    ring();
    ring();
    await alpha.idle();
    expect((await verified()).sort()).toEqual([false, true]);
  });

  it.each(['prettyPrinted', 'nonAscii', 'oversized'] as const)(
    'a changed body, correctly signed and the same at every attempt: %s',
    async (fault) => {
      alpha.scheduleWebhookFault({ fault });
      alpha.scheduleWebhookFault({ fault: 'wrongKey' });
      const payment = ring();
      await alpha.idle();
      alpha.redeliver(ids()[0]);
      await alpha.idle();
      const bodies = receiver.received.map(({ body }) => body);
      expect(new Set(bodies).size).toBe(1);
      expect((await verified()).at(-1)).toBe(true);

      const [body = ''] = bodies;
      expect(JSON.parse(body).data.object.payment).toMatchObject(payment);
      expect({
        prettyPrinted: body.startsWith('{\n  "merchant_id"'),
        nonAscii: body.includes('"note":"Café ☕'),
        oversized: body.length > 2 * 1024 * 1024,
      }).toMatchObject({ [fault]: true });
    },
  );
});

describe('chaos', () => {
  it('every event arrives by retries, though some attempts are dropped or spoilt', async () => {
    const share = 0.3;
    alpha.setChaos({
      drop: share,
      wrongKey: share,
      duplicate: share,
      delay: share,
      reorder: share,
    });
    const rung = Array.from({ length: 60 }, () => ring().id);
    await alpha.idle();
    const delivered = new Set(receiver.received.map(({ body }) => JSON.parse(body).data.id));
    expect([...delivered].sort()).toEqual(rung.sort());
    expect(outcomes()).toContain('dropped');
    expect(await verified()).toContain(false);
    expect(ids().length).toBeGreaterThan(new Set(ids()).size);
  });

  it('drops the same attempts for the same seed', async () => {
    const dropped = async () => {
      alpha.setChaos({ drop: 0.5 });
      for (let n = 0; n < 30; n++) ring();
      await alpha.idle();
      return alpha
        .journal()
        .flatMap((it) =>
          it.kind === 'delivery' && it.outcome === 'dropped' ? `${it.eventId} ${it.attempt}` : [],
        );
    };
    const first = await dropped();
    await stop();
    await begin();
    expect((await dropped()).sort()).toEqual(first.sort());
    expect(first.length).toBeGreaterThan(0);
  });
});
