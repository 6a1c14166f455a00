import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aCredit, aTenant, aWallet, postByHand } from '../../support/factories.ts';
import {
  type PointsRequest,
  type PointsRoutes,
  START,
  STATUS,
  startPointsRoutes,
} from '../../support/http/points-routes.ts';

let taking: PointsRoutes;
beforeAll(async () => {
  taking = await startPointsRoutes();
});
afterAll(() => taking.close());
beforeEach(() => taking.reset());

const send = (request: PointsRequest) => taking.send(request);
const taken = (...of: Parameters<PointsRoutes['taken']>) => taking.taken(...of);
const stored = (key: string) => taking.stored(key);

describe('the same request again', () => {
  it('gets the same response and has no effect', async () => {
    const first = await send({ key: 'k' });
    expect(first).toMatchObject({ status: 200, replayed: null, body: { ok: true } });
    expect(taking.state.followUps).toEqual([
      `first ${first.body.receipt}`,
      `second ${first.body.receipt}`,
    ]);

    const second = await send({ key: 'k', at: taking.other });
    expect(second).toEqual({ ...first, replayed: 'true' });
    expect(await taken()).toBe(10);
    expect(taking.state.followUps).toHaveLength(2);
    expect(taking.otherState.followUps).toEqual([]);
  });

  it('is recognised in any order of its keys and any spelling of its path', async () => {
    const first = await send({ key: 'k', body: '{"points":10,"x":{"a":[1,{"b":2,"c":3}],"d":0}}' });
    const second = await send({
      key: 'k',
      body: '{ "x": {"d":0,"a":[1.0,{"c":3,"b":2}]}, "points": 1e1 }',
      path: `/wallets/${taking.caller.walletId.toUpperCase()}/take`,
    });
    expect(second).toEqual({ ...first, replayed: 'true' });
    expect(await taken()).toBe(10);
  });

  it.each([
    ['another value', { points: 11 }],
    ['another value of another field', { points: 10, note: 'b' }],
    ['a field less', { points: 10 }],
    ['a list in another order', { points: 10, note: 'a', list: [2, 1] }],
    ['a number as text', { points: 10, note: 'a', list: ['1', 2] }],
  ])('422 IDEMPOTENCY_REPLAY with %s', async (_, body) => {
    await send({ key: 'k', body: { points: 10, note: 'a', list: [1, 2] } });
    const second = await send({ key: 'k', body });
    expect(second).toMatchObject({
      status: 422,
      replayed: null,
      body: { code: 'IDEMPOTENCY_REPLAY' },
    });
    expect(await taken()).toBe(10);
  });

  it('is a new request for another user, path, wallet or key', async () => {
    const another = await aWallet(taking.db, { balance: START });
    const stranger = await taking.tokenOf({ role: 'consumer' });
    await send({ key: 'k' });
    for (const change of [
      { as: stranger },
      { path: `/wallets/${taking.caller.walletId}/take-also` },
      { path: `/wallets/${another}/take` },
      { key: 'K' },
    ]) {
      expect(await send({ key: 'k', ...change })).toMatchObject({ status: 200, replayed: null });
    }
    expect([await taken(), await taken(another)]).toEqual([40, 10]);
  });

  it('is carried out again after 24 hours, and its new response is stored', async () => {
    const first = await send({ key: 'k' });
    const age = (hours: string) =>
      taking.db.raw('update idempotency_keys set created_at = now() - :hours::interval', {
        hours,
      });
    await age('23 hours 59 minutes');
    expect(await send({ key: 'k' })).toEqual({ ...first, replayed: 'true' });
    await age('24 hours 1 second');
    const second = await send({ key: 'k', body: { points: 20 } });
    expect(second).toMatchObject({ status: 200, replayed: null });
    expect(second.body.receipt).not.toBe(first.body.receipt);
    expect(await send({ key: 'k', body: { points: 20 } })).toEqual({ ...second, replayed: 'true' });
    expect(await taken()).toBe(30);
    expect(await stored('k')).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it.each(['NOT_FOUND', 'RULE_REJECTED'] as const)(
    '%s is stored: it has no effect, and a repeat gets it again',
    async (code) => {
      const body = { points: 10, behaviour: { kind: 'refuses', code } };
      const first = await send({ key: 'k', body });
      expect(first).toMatchObject({ status: STATUS[code], replayed: null, body: { code } });
      expect(await send({ key: 'k', body })).toEqual({ ...first, replayed: 'true' });
      expect([await taken(), taking.state.followUps]).toEqual([0, []]);
    },
  );

  it('by a constraint of Postgres is stored too, even if a repeat would succeed', async () => {
    const body = { points: START + 1 };
    const first = await send({ key: 'k', body });
    expect(first).toMatchObject({ status: 422, body: { code: 'INSUFFICIENT_BALANCE' } });
    await taking.db.transaction((tx) => postByHand(tx, [aCredit(taking.caller.walletId, 500)]));
    expect(await send({ key: 'k', body })).toEqual({ ...first, replayed: 'true' });
    expect(await send({ key: 'new', body })).toMatchObject({ status: 200 });
  });

  it.each([
    ['FORBIDDEN', { points: 10, behaviour: { kind: 'refuses', code: 'FORBIDDEN' } }, 403],
    ['a bug', { points: 10, behaviour: { kind: 'throws' } }, 500],
    [
      'a response that violates its schema',
      { points: 10, behaviour: { kind: 'violates-schema' } },
      500,
    ],
    ['an invalid body', { points: 'ten' }, 400],
  ])('that a repeat may not get is not stored: %s', async (_, body, status) => {
    expect(await send({ key: 'k', body })).toMatchObject({ status });
    expect([await taken(), await stored('k'), taking.state.followUps]).toEqual([0, [], []]);
    expect(await send({ key: 'k' })).toMatchObject({ status: 200, replayed: null });
  });
});

describe('a key', () => {
  it.each([
    ['no characters', ''],
    ['256 characters', 'x'.repeat(256)],
    ['a space', 'a b'],
    ['a tab', 'a\tb'],
    ['a character beyond ASCII', 'schlüssel'],
  ])('400 VALIDATION_ERROR with %s', async (_, key) => {
    const refused = await send({ key });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(await taken()).toBe(0);
  });

  it.each(['!', '~'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', "a'b\\c?:d"])(
    '200 for visible ASCII: %s',
    async (key) => {
      expect(await send({ key })).toMatchObject({ status: 200, replayed: null });
      expect(await send({ key })).toMatchObject({ status: 200, replayed: 'true' });
      expect(await taken()).toBe(10);
    },
  );

  it('may be missing: then every request is carried out, in one transaction', async () => {
    await send({});
    expect(await send({})).toMatchObject({ status: 200, replayed: null });
    expect(await taken()).toBe(20);
    const before = await taking.db('idempotency_keys').count();
    expect(
      await send({ body: { points: 10, behaviour: { kind: 'refuses', code: 'RULE_REJECTED' } } }),
    ).toMatchObject({
      status: 422,
    });
    expect(
      await send({ body: { points: 10, behaviour: { kind: 'violates-schema' } } }),
    ).toMatchObject({ status: 500 });
    expect(await taken()).toBe(20);
    expect(await taking.db('idempotency_keys').count()).toEqual(before);
  });
});

describe('work that follows a commit', () => {
  it('may fail without harm: it is logged, and the next work still starts', async () => {
    const answer = await send({
      key: 'k',
      body: { points: 10, behaviour: { kind: 'fails-after-commit' } },
    });
    expect(answer.status).toBe(200);
    expect(taking.state.followUps).toEqual([
      `first ${answer.body.receipt}`,
      `second ${answer.body.receipt}`,
    ]);
    expect(taking.served.log.some((line) => line.includes('Temporal is away'))).toBe(true);
  });
});

describe('a response that contains a secret', () => {
  it('is stored sealed, and is the same for a repeat', async () => {
    const path = `/wallets/${taking.caller.walletId}/secret`;
    const first = await send({ key: 'k', path });
    expect(await send({ key: 'k', path, at: taking.other })).toEqual({
      ...first,
      replayed: 'true',
    });
    const [row] = await stored('k');
    expect(row).toMatchObject({ bodySealed: true, body: expect.stringMatching(/^v1\.k1\./) });
    expect(JSON.stringify(row)).not.toContain('secret-');
  });

  it('cannot be opened for another request', async () => {
    const path = `/wallets/${taking.caller.walletId}/secret`;
    await send({ key: 'one', path });
    await taking.db('idempotency_keys').where({ key: 'one' }).update({ key: 'two' });
    expect(await send({ key: 'two', path })).toMatchObject({ status: 500 });
  });
});

describe('publishing a reward rule', () => {
  it('publishes one version for one key, and stores its 201', async () => {
    const tenantId = await aTenant(taking.db);
    const as = await taking.tokenOf({ role: 'client', member: tenantId });
    const rule = { as, path: `/client/tenants/${tenantId}/reward-rules` };
    const body = { conversionRate: 0.1 };
    const first = await send({ ...rule, key: 'k', body });
    expect(first).toMatchObject({ status: 201, body: { version: 1 } });
    expect(await send({ ...rule, key: 'k', body })).toEqual({ ...first, replayed: 'true' });
    expect(await send({ ...rule, body })).toMatchObject({ status: 201, body: { version: 2 } });
  });
});
