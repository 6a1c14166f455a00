import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AlphaSimulator } from '../../../../sandbox/providers/alpha/simulator.ts';
import { errorBody, get as getWith, idsIn, startApp, startConnectedAlpha } from './client.ts';

const APP = { client_id: 'app', client_secret: 'secret' };
const Renewed = z.object({ access_token: z.string() });

let alpha: AlphaSimulator;
let clock: { now: Date };
let bearer: string;

beforeEach(async () => {
  ({ alpha, clock, bearer } = await startConnectedAlpha());
});

afterEach(() => alpha.stop());

const get = (path: string, token = bearer) => getWith(alpha, path, token);
const ringOne = () => alpha.ring({ merchantId: 'ML1', amount: 1, capture: 'at-once' });

async function refresh(refreshToken: string): Promise<Response> {
  const body = { ...APP, grant_type: 'refresh_token', refresh_token: refreshToken };
  return fetch(`${alpha.url}/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function many<T>(times: number, ask: () => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let n = 0; n < times; n++) answers.push(await ask());
  return answers;
}

describe('chaos on REST', () => {
  it('429, some with a wait: tooMany', async () => {
    alpha.setChaos({ tooMany: 1 });
    const answers = await many(20, () => get('/v2/locations'));
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 429,
        body: errorBody('RATE_LIMIT_ERROR', 'RATE_LIMITED'),
      });
    }
    const waits = new Set(answers.map(({ headers }) => headers.get('retry-after')));
    expect(waits).toEqual(new Set(['1', null]));
    const renewal = await refresh('any');
    expect(renewal.status).toBe(429);
    expect(await renewal.json()).toEqual(errorBody('V1_ERROR', 'TOO_MANY_REQUESTS'));
  });

  it('500, 502, 503 and 504: serverError', async () => {
    alpha.setChaos({ serverError: 1 });
    const answers = await many(40, () => get('/v2/locations'));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500, 502, 503, 504]));
    expect(answers[0]?.body).toEqual({
      errors: [expect.objectContaining({ category: 'API_ERROR' })],
    });
  });

  it('the same responses for the same seed, with about the set probability', async () => {
    const statuses = async () => {
      alpha.setChaos({ tooMany: 0.2, serverError: 0.2 });
      return (await many(200, () => get('/v2/locations'))).map(({ status }) => status);
    };
    const first = await statuses();
    expect(await statuses()).toEqual(first);
    const good = first.filter((status) => status === 200).length;
    expect(good).toBeGreaterThan(100);
    expect(good).toBeLessThan(160);
  });

  it('401 until a refresh, whose token then works for a while: expiredToken', async () => {
    const { accessToken, refreshToken } = alpha.issueToken('ML1');
    alpha.setChaos({ expiredToken: 1 });
    const expired = {
      status: 401,
      body: errorBody('AUTHENTICATION_ERROR', 'ACCESS_TOKEN_EXPIRED'),
    };
    expect(await get('/v2/locations', accessToken)).toMatchObject(expired);
    alpha.setChaos({});
    expect(await get('/v2/locations', accessToken)).toMatchObject(expired);

    alpha.setChaos({ expiredToken: 1 });
    const { access_token } = Renewed.parse(await (await refresh(refreshToken)).json());
    const answers = await many(21, () => get('/v2/locations', access_token));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.at(-1)).toMatchObject(expired);
  });

  it('404 and then 200 for a new payment, not for an old one: notFoundFirst', async () => {
    const old = ringOne();
    clock.now = new Date(clock.now.getTime() + 61_000);
    const fresh = ringOne();
    alpha.setChaos({ notFoundFirst: 1 });
    const statuses = async (id: string) =>
      (await many(3, () => get(`/v2/payments/${id}`))).map(({ status }) => status);
    expect(await statuses(fresh.id)).toEqual([404, 200, 200]);
    expect(await statuses(old.id)).toEqual([200, 200, 200]);
  });

  it('all times of the provider are off by the same, lists included: clockSkew', async () => {
    alpha.setChaos({ clockSkew: 0.5 });
    const [one, two] = [ringOne(), ringOne()];
    const off = Date.parse(one.created_at) - clock.now.getTime();
    expect(Math.abs(off)).toBe(30_000);
    expect(two.created_at).toBe(one.created_at);
    expect(idsIn((await get('/v2/payments')).body)).toHaveLength(2);
    clock.now = new Date(clock.now.getTime() + 1000);
    expect(Date.parse(ringOne().created_at) - Date.parse(one.created_at)).toBe(1000);
  });
});

describe('delayed visibility', () => {
  let lagging: AlphaSimulator;
  let token: string;

  beforeEach(async () => {
    lagging = await startApp({ visibilityDelayMs: 5000, now: () => clock.now });
    lagging.addMerchant({ id: 'ML1', name: 'One' });
    token = lagging.issueToken('ML1').accessToken;
  });

  afterEach(() => lagging.stop());

  const listed = async () => (await getWith(lagging, '/v2/payments', token)).body.payments;
  const later = (ms: number) => {
    clock.now = new Date(clock.now.getTime() + ms);
  };

  it('lists show a new payment late, while it can be read by id at once', async () => {
    const { id } = lagging.ring({ merchantId: 'ML1', amount: 1, capture: 'at-once' });
    later(4999);
    expect(await listed()).toBeUndefined();
    expect((await getWith(lagging, `/v2/payments/${id}`, token)).status).toBe(200);
    later(1);
    expect(await listed()).toMatchObject([{ id }]);
  });

  it('lists show a changed payment in its former state for the delay', async () => {
    const { id } = lagging.ring({ merchantId: 'ML1', amount: 1, capture: 'later' });
    later(3000);
    lagging.capture(id);
    later(3000);
    expect(await listed()).toMatchObject([{ id, status: 'APPROVED' }]);
    later(2000);
    expect(await listed()).toMatchObject([{ id, status: 'COMPLETED' }]);
  });
});
