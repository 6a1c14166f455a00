import type { IncomingHttpHeaders } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BetaOptions } from '../../../../sandbox/providers/beta/options.ts';
import type { Chaos } from '../../../../sandbox/providers/shared/chaos.ts';
import { useStops } from '../../fixtures.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { get, post, SECRET, startConnected } from './client.ts';

const stopAfterwards = useStops();
let receiver: Receiver;

beforeEach(async () => {
  // Like the service, accepts only requests that carry the secret.
  receiver = await startReceiver((response) => {
    response.statusCode = isSigned(receiver.received.at(-1)) ? 200 : 401;
    response.end();
  });
  stopAfterwards(receiver.stop);
});

async function withChaos(chaos: Chaos, options: Partial<BetaOptions> = {}) {
  const started = await startConnected({ webhookUrl: receiver.url, ...options });
  stopAfterwards(started.beta.stop);
  started.beta.setChaos(chaos);
  return started;
}

function isSigned(received: { headers: IncomingHttpHeaders } | undefined): boolean {
  return received?.headers['x-beta-auth'] === SECRET;
}

describe('webhooks', () => {
  const all = { duplicate: 0.2, reorder: 0.2, delay: 0.2, drop: 0.2, wrongKey: 0.2 };
  const ringMany = async (started: Awaited<ReturnType<typeof withChaos>>, count: number) => {
    for (let n = 0; n < count; n++) started.beta.ring({ merchantId: 'M1', amount: 1 });
    await started.beta.idle();
    return receiver.received.filter(isSigned).map(({ body }) => body);
  };

  it('every message arrives in retry mode with each fault at 0.2', async () => {
    const started = await withChaos(all, { retryMode: true });
    const accepted = await ringMany(started, 200);
    expect(new Set(accepted).size).toBe(200);
    expect(accepted.length).toBeGreaterThan(200);
    const outcomes = started.beta.journal().map((entry) => 'outcome' in entry && entry.outcome);
    expect(new Set(outcomes)).toEqual(new Set(['accepted', 'refused', 'dropped']));
  });

  it('some messages are lost without retry mode', async () => {
    const accepted = await ringMany(await withChaos({ drop: 0.2, wrongKey: 0.2 }), 100);
    expect(new Set(accepted).size).toBeLessThan(100);
    expect(accepted.length).toBeGreaterThan(0);
  });

  it('every message arrives in retry mode even with drop and wrongKey at 1', async () => {
    const accepted = await ringMany(
      await withChaos({ drop: 1, wrongKey: 1 }, { retryMode: true }),
      3,
    );
    expect(new Set(accepted).size).toBe(3);
  });

  it('the same body arrives twice: duplicate', async () => {
    const accepted = await ringMany(await withChaos({ duplicate: 1 }), 1);
    expect(accepted).toEqual([accepted[0], accepted[0]]);
  });

  it('an earlier message arrives after a later one: reorder', async () => {
    const started = await withChaos({ reorder: 1 }, { minuteMs: 3_600_000 });
    const { beta } = started;
    const first = beta.ring({ merchantId: 'M1', amount: 1, withoutOrder: true });
    beta.setChaos({});
    const second = beta.ring({ merchantId: 'M1', amount: 1, withoutOrder: true });
    await beta.idle();
    const delivered = receiver.received.map(
      ({ body }) => JSON.parse(body).merchants.M1[0].objectId,
    );
    expect(delivered).toEqual([`P:${second.id}`, `P:${first.id}`]);
  });

  it('a message that no other overtakes still arrives: reorder', async () => {
    expect(await ringMany(await withChaos({ reorder: 1 }), 1)).toHaveLength(1);
  });

  it('the same faults happen for the same seed', async () => {
    const outcomesOf = async () => {
      const started = await withChaos({ drop: 0.5 });
      await ringMany(started, 20);
      return started.beta.journal().map((entry) => 'outcome' in entry && entry.outcome);
    };
    expect((await outcomesOf()).sort()).toEqual((await outcomesOf()).sort());
  });
});

describe('the API', () => {
  it('429 and 5xx responses: tooMany and serverError', async () => {
    const { beta, bearer } = await withChaos({ tooMany: 1 });
    const limits = new Set<string | undefined>();
    for (let n = 0; n < 20; n++) {
      const { status, headers } = await get(beta, '/M1', bearer);
      expect(status).toBe(429);
      limits.add([...headers.keys()].find((name) => name.startsWith('x-ratelimit-')));
    }
    expect(limits.size).toBe(2);
    expect(beta.violations()).toEqual([]);
    beta.setChaos({ serverError: 1 });
    expect((await get(beta, '/M1', bearer)).status).toBeGreaterThanOrEqual(500);
  });

  it('404 for the first request for a new payment: notFoundFirst', async () => {
    const { beta, clock, bearer } = await withChaos({ notFoundFirst: 1 });
    const { id } = beta.ring({ merchantId: 'M1', amount: 1 });
    expect((await get(beta, `/M1/payments/${id}`, bearer)).status).toBe(404);
    expect((await get(beta, `/M1/payments/${id}`, bearer)).status).toBe(200);
    const old = beta.ring({ merchantId: 'M1', amount: 1 });
    clock.now = new Date(clock.now.getTime() + 61_000);
    expect((await get(beta, `/M1/payments/${old.id}`, bearer)).status).toBe(200);
  });

  it('only refreshable tokens expire, and not when new: expiredToken', async () => {
    const { beta, bearer } = await withChaos({ expiredToken: 1 });
    expect((await get(beta, '/M1', bearer)).status).toBe(200);
    const app = { client_id: 'APP', client_secret: 'shh' };
    const code = beta.newCode('M1');
    const { body } = await post(beta, '/oauth/v2/token', { ...app, code });
    const statuses: number[] = [];
    for (let n = 0; n < 22; n++) {
      statuses.push((await get(beta, '/M1', body.access_token)).status);
    }
    expect(statuses.slice(19)).toEqual([200, 401, 401]);
    const renewal = { client_id: 'APP', refresh_token: body.refresh_token };
    const renewed = await post(beta, '/oauth/v2/refresh', renewal);
    expect((await get(beta, '/M1', renewed.body.access_token)).status).toBe(200);
  });

  it("the provider's times are off: clockSkew", async () => {
    const { beta, clock } = await withChaos({ clockSkew: 0.5 });
    const { createdTime } = beta.ring({ merchantId: 'M1', amount: 1 });
    expect(Math.abs(createdTime - clock.now.getTime())).toBe(30_000);
  });
});
