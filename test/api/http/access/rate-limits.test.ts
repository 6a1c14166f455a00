import { beforeEach, describe, expect, it } from 'vitest';
import { limitOf } from '../../../../api/http/route.ts';
import { receiveEventOf } from '../../../../api/routes/webhooks/receive-event.ts';
import {
  call,
  change,
  limitWarnings,
  lookup,
  open,
  preview,
  profile,
  read,
  serveLimited,
  statuses,
  UNLIMITED,
  useTwoInstances,
  write,
} from '../../../support/http/limited.ts';

const { database, issuer, one, two, person } = await useTwoInstances();

describe('limitOf', () => {
  it.each([
    ['reads', 'a GET', read],
    ['reads', 'a POST that says so', preview],
    ['reads', 'a GET for any token', profile],
    ['writes', 'a POST', write],
    ['writes', 'a PUT', change],
    ['lookups', 'a lookup', lookup],
    ['webhooks', 'a webhook', receiveEventOf('alpha')],
    [undefined, 'a public route', open],
  ] as const)('%s for %s', (expected, _, counted) => {
    expect(limitOf(counted)).toBe(expected);
  });
});

describe('a limit', () => {
  let token: string;

  beforeEach(async () => {
    token = await person({ role: 'consumer' });
    one.log.length = 0;
    two.log.length = 0;
  });

  it('reports the remaining quota in every response', async () => {
    for (const left of [3, 2, 1, 0]) {
      const answer = await call(one, read, token);
      expect(answer.status).toBe(200);
      expect(answer.policy).toBe('"reads";q=4;w=60');
      expect(answer.limit).toMatch(new RegExp(`^"reads";r=${left};t=([1-9]|[1-5][0-9]|60)$`));
      expect(answer.retryAfter).toBeNull();
    }
    const refused = await call(one, read, token);
    expect(refused).toMatchObject({
      status: 429,
      policy: '"reads";q=4;w=60',
      limit: expect.stringMatching(/^"reads";r=0;t=\d+$/),
      body: {
        code: 'RATE_LIMITED',
        message: 'Limit reached: 4 reads a minute per user. Try again shortly.',
        requestId: expect.any(String),
      },
    });
    expect(refused.limit?.split('t=')[1]).toBe(refused.retryAfter);
  });

  it('reports it to who is blocked for guessing codes, too', async () => {
    const operator = await person({ role: 'pos_operator' });
    const { db } = database;
    const { id: userId } = await db('users').orderBy('createdAt', 'desc').first('id');
    const blockedUntil = new Date(Date.now() + 60_000);
    await db('code_guesses').insert({ userId, codes: '{}', blockedUntil });
    const refused = await call(one, lookup, operator);
    expect(refused).toMatchObject({ status: 429, policy: '"lookups";q=2;w=60' });
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
  });

  it('counts all instances together, exactly, and logs the first rejection', async () => {
    const ask = (nth: number) => call(nth % 2 ? two : one, read, token);
    expect(await statuses(30, ask)).toEqual({ 200: 4, 429: 26 });
    expect(await statuses(4, ask)).toEqual({ 429: 4 });
    expect(limitWarnings(one, two).map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 40, limit: 'reads', quota: 4, user: expect.any(String) }),
    ]);
  });

  it('counts each user and each kind of request separately', async () => {
    const another = await person({ role: 'consumer' });
    await statuses(5, () => call(one, read, token));
    expect(await call(one, read, another)).toMatchObject({ status: 200 });
    expect(await call(one, write, token, { points: 1 })).toMatchObject({
      status: 200,
      policy: '"writes";q=3;w=60',
    });
    expect(await call(one, preview, token)).toMatchObject({ status: 429 });
    expect(await call(one, profile, token)).toMatchObject({ status: 429 });
  });

  it('counts requests that are refused for any reason but their token', async () => {
    expect(await call(one, write, token, { points: 'many' })).toMatchObject({
      status: 400,
      limit: expect.stringContaining('r=2'),
    });
    expect(await call(one, change, token)).toMatchObject({
      status: 403,
      limit: expect.stringContaining('r=1'),
    });
    await call(one, write, token, 'no object');
    expect(await call(one, write, token, { points: 1 })).toMatchObject({ status: 429 });
    expect(await call(one, read, 'no token')).toMatchObject({ status: 401, limit: null });
  });

  it('counts users who may not use the service', async () => {
    const suspended = await person({ role: 'consumer', status: 'suspended' });
    const answers = [];
    for (let nth = 0; nth < 5; nth++) answers.push(await call(one, read, suspended));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 429]);
    expect(answers[0]?.limit).toContain('r=3');
  });

  it('starts again when its minute is over', async () => {
    await statuses(4, () => call(one, read, token));
    await database.db.raw('update rate_limits set expire = :past', { past: Date.now() - 1 });
    expect(await call(one, read, token)).toMatchObject({
      status: 200,
      limit: expect.stringContaining('r=3'),
    });
  });

  it('of zero means no limit: nothing is counted or reported', async () => {
    const unlimited = await serveLimited(database.db, issuer, { perMinute: UNLIMITED });
    const before = await database.db('rate_limits').sum('points');
    const ask = () => call(unlimited, read, token);
    expect(await statuses(10, ask)).toEqual({ 200: 10 });
    expect(await ask()).toMatchObject({ policy: null, limit: null });
    expect(await database.db('rate_limits').sum('points')).toEqual(before);
    await unlimited.close();
  });
});
