import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { RETRY_MINUTES } from '../../../../sandbox/providers/beta/deliveries.ts';
import type { BetaOptions } from '../../../../sandbox/providers/beta/options.ts';
import { useStops } from '../../fixtures.ts';
import { startReceiver } from '../receiver.ts';
import { SECRET, startConnected } from './client.ts';

const stopAfterwards = useStops();

async function connected(
  options: Partial<BetaOptions> = {},
  answer?: (response: ServerResponse, attempt: number) => void,
) {
  const receiver = await startReceiver(answer);
  const started = await startConnected({ webhookUrl: receiver.url, ...options });
  stopAfterwards(receiver.stop, started.beta.stop);
  const bodies = () => receiver.received.map(({ body }) => JSON.parse(body));
  return { ...started, receiver, bodies, ring: (amount = 1) => ringAt(started, amount) };
}

function ringAt({ beta }: Awaited<ReturnType<typeof startConnected>>, amount: number) {
  return beta.ring({ merchantId: 'M1', amount });
}

function answerWith(...statuses: number[]) {
  return (response: ServerResponse, attempt: number) => {
    response.statusCode = statuses[attempt - 1] ?? 200;
    response.end();
  };
}

describe('a message', () => {
  it('names app, merchant and objects, and carries the plain secret', async () => {
    const { beta, clock, receiver, bodies, ring } = await connected();
    const { id, orderId } = ring();
    await beta.idle();
    const ts = clock.now.getTime();
    expect(bodies()).toEqual([
      {
        appId: 'APP',
        merchants: {
          M1: [
            { objectId: `O:${orderId}`, type: 'CREATE', ts },
            { objectId: `P:${id}`, type: 'CREATE', ts },
          ],
        },
      },
    ]);
    expect(receiver.received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-beta-auth': SECRET,
    });
    expect(beta.journal()).toMatchObject([
      { type: 'O:CREATE,P:CREATE', merchantId: 'M1', attempt: 1, outcome: 'accepted', status: 200 },
    ]);
  });

  it.each([
    ['x-clover-auth', 'x-clover-auth', SECRET],
    ['bearer', 'authorization', `Bearer ${SECRET}`],
  ] as const)('carries the secret as %s', async (authStyle, header, value) => {
    const { beta, receiver, ring } = await connected({ authStyle });
    ring();
    await beta.idle();
    expect(receiver.received[0]?.headers[header]).toBe(value);
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-beta-auth');
  });

  it('is lost without a retry when the response is not 200', async () => {
    const { beta, receiver, ring } = await connected({}, answerWith(500, 204));
    ring();
    ring();
    ring();
    await beta.idle();
    expect(receiver.received).toHaveLength(3);
    expect(beta.journal()).toMatchObject([
      { outcome: 'refused', attempt: 1 },
      { outcome: 'refused', attempt: 1 },
      { outcome: 'accepted', attempt: 1 },
    ]);
  });

  it('is sent again unchanged in retry mode until the response is 200', async () => {
    const answer = answerWith(500, 302, 202);
    const { beta, receiver, ring } = await connected({ retryMode: true }, answer);
    ring();
    await beta.idle();
    expect(receiver.received).toHaveLength(4);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(beta.journal().at(-1)).toMatchObject({ attempt: 4, outcome: 'accepted' });
  });

  it('is given up after the last pause in retry mode', async () => {
    const refuse = (response: ServerResponse) => {
      response.statusCode = 401;
      response.end('{"code":"UNAUTHORIZED"}');
    };
    const { beta, receiver, ring } = await connected({ retryMode: true }, refuse);
    ring();
    await beta.idle();
    expect(receiver.received).toHaveLength(RETRY_MINUTES.length + 1);
    expect(beta.journal().at(-1)).toMatchObject({ answer: '{"code":"UNAUTHORIZED"}' });
  });

  it('is unreachable when the receiver does not respond in time', async () => {
    const { beta, ring } = await connected({ answerTimeoutMs: 50 }, () => {});
    ring();
    await beta.idle();
    expect(beta.journal()).toMatchObject([{ outcome: 'unreachable' }]);
  });

  it('is repeated unchanged on request', async () => {
    const { beta, receiver, ring } = await connected();
    ring();
    await beta.idle();
    const [entry] = beta.journal();
    if (entry?.kind !== 'delivery') throw new Error('The message is not in the journal.');
    beta.redeliver(entry.eventId);
    await beta.idle();
    expect(receiver.received.map(({ body }) => body)).toEqual([
      receiver.received[0]?.body,
      receiver.received[0]?.body,
    ]);
    expect(() => beta.redeliver('NONE')).toThrow('There is no message NONE.');
  });

  it('is withheld while the merchant has not installed the app', async () => {
    const { beta, receiver, ring } = await connected();
    beta.uninstall('M1');
    ring();
    await beta.idle();
    expect(receiver.received).toEqual([]);
    expect(beta.journal()).toMatchObject([
      { outcome: 'withheld', note: expect.stringContaining('not installed') },
    ]);
  });
});

describe('batches', () => {
  it('contain updates that follow closely, of several kinds and twice of one payment', async () => {
    const { beta, bodies, ring, customerId } = await connected();
    beta.setBatching({ windowMs: 0 });
    const { id, orderId = '' } = ring();
    const other = ring();
    beta.attachCustomer(orderId, customerId);
    beta.refund(id);
    await beta.idle();
    const kinds = bodies()[0].merchants.M1.map(
      ({ objectId, type }: { objectId: string; type: string }) => `${objectId} ${type}`,
    );
    expect(kinds).toEqual([
      `O:${orderId} CREATE`,
      `P:${id} CREATE`,
      `O:${other.orderId} CREATE`,
      `P:${other.id} CREATE`,
      `O:${orderId} UPDATE`,
      `P:${id} UPDATE`,
    ]);
    expect(bodies()).toHaveLength(1);
  });

  it('are of one merchant each, unless several are merged', async () => {
    const { beta, bodies, ring } = await connected();
    beta.addMerchant({ id: 'M2', name: 'Two' });
    beta.issueToken('M2');
    const ringBoth = async () => {
      ring();
      beta.ring({ merchantId: 'M2', amount: 2 });
      await beta.idle();
    };
    beta.setBatching({ windowMs: 0 });
    await ringBoth();
    const merchants = () => bodies().map((body) => Object.keys(body.merchants).join(' '));
    expect(merchants().sort()).toEqual(['M1', 'M2']);
    beta.setBatching({ windowMs: 0, acrossMerchants: true });
    await ringBoth();
    expect(merchants().at(-1)).toBe('M1 M2');
    beta.setBatching(undefined);
    await ringBoth();
    expect(bodies()).toHaveLength(5);
  });

  it('have reversed updates when requested', async () => {
    const { beta, bodies, ring } = await connected();
    beta.setBatching({ windowMs: 0, reversed: true });
    const { id } = ring();
    beta.refund(id);
    await beta.idle();
    expect(bodies()[0].merchants.M1.map(({ type }: { type: string }) => type)).toEqual([
      'UPDATE',
      'CREATE',
      'CREATE',
    ]);
  });
});

describe('the verification', () => {
  it('posts only a code, without the secret, and returns the response', async () => {
    const { beta, receiver, bodies } = await connected({}, (response) => response.end('noted'));
    const verification = await beta.sendVerification();
    expect(verification).toEqual({
      verificationCode: expect.stringMatching(/^[0-9a-f-]{36}$/),
      outcome: 'accepted',
      status: 200,
      answer: 'noted',
    });
    const { verificationCode } = verification;
    expect(bodies()).toEqual([{ verificationCode }]);
    expect(JSON.stringify(receiver.received[0]?.headers)).not.toContain(SECRET);
    expect(beta.journal()).toMatchObject([{ type: 'verification', eventId: verificationCode }]);
  });

  it('returns a refusal', async () => {
    const { beta } = await connected({}, answerWith(401));
    expect(await beta.sendVerification()).toMatchObject({ outcome: 'refused', status: 401 });
  });
});
