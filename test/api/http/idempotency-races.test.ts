import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type PointsRequest,
  type PointsRoutes,
  startPointsRoutes,
} from '../../support/http/points-routes.ts';

let taking: PointsRoutes;
beforeAll(async () => {
  taking = await startPointsRoutes();
});
afterAll(() => taking.close());
beforeEach(() => taking.reset());
// A request that a failed test leaves waiting must not keep its connection.
afterEach(() => taking.state.paused?.resume());

const send = (request: PointsRequest) => taking.send(request);
const WAIT = { points: 10, behaviour: { kind: 'pauses' } };

it('one effect and one response for 20 requests at once over two instances', async () => {
  const instances = [taking.served, taking.other];
  const answers = await Promise.all(
    instances.flatMap((at) => Array.from({ length: 10 }, () => send({ key: 'k', at }))),
  );
  expect(await taking.taken()).toBe(10);
  expect(taking.state.followUps.length + taking.otherState.followUps.length).toBe(2);
  const carriedOut = answers.filter(({ status, replayed }) => status === 200 && !replayed);
  expect(carriedOut).toHaveLength(1);
  for (const answer of answers) {
    if (answer.status === 200) expect(answer.body).toEqual(carriedOut[0]?.body);
    else expect(answer).toMatchObject({ status: 409, retryAfter: '1' });
  }
});

it('409 while the first request runs, whatever the body, then its response', async () => {
  const first = send({ key: 'k', body: WAIT });
  const { resume } = await taking.pausedRequest();
  for (const at of [taking.served, taking.other]) {
    expect(await send({ key: 'k', body: { points: 1 }, at })).toMatchObject({ status: 409 });
    expect(await send({ key: 'k', body: WAIT, at })).toMatchObject({
      status: 409,
      retryAfter: '1',
      body: { code: 'IDEMPOTENCY_REPLAY' },
    });
  }
  const elsewhere = `/wallets/${taking.caller.walletId}/secret`;
  expect(await send({ key: 'another', path: elsewhere })).toMatchObject({ status: 200 });

  resume();
  const { body } = await first;
  const second = await send({ key: 'k', body: WAIT });
  expect(second).toEqual({ status: 200, replayed: 'true', retryAfter: null, body });
  expect(await taking.taken()).toBe(10);
});

it('the first response for a caller whose connection broke before it', async () => {
  const caller = new AbortController();
  const request = { key: 'k', body: WAIT };
  const cutOff = send({ ...request, signal: caller.signal }).catch((error: unknown) => error);
  const { resume } = await taking.pausedRequest();
  caller.abort();
  expect(await cutOff).toMatchObject({ name: 'AbortError' });
  resume();
  await expect.poll(async () => (await send(request)).replayed).toBe('true');
  expect(await taking.taken()).toBe(10);
});

it('no effect of a request that was killed halfway, which can be sent again', async () => {
  const first = send({ key: 'k', body: WAIT });
  const { pid, resume } = await taking.pausedRequest();
  await taking.db.raw('select pg_terminate_backend(:pid)', { pid });
  resume();
  expect((await first).status).toBe(503);
  expect([await taking.taken(), await taking.stored('k'), taking.state.followUps]).toEqual([
    0,
    [],
    [],
  ]);

  taking.state.paused = undefined;
  const second = send({ key: 'k', body: WAIT });
  (await taking.pausedRequest()).resume();
  expect(await second).toMatchObject({ status: 200, replayed: null });
  expect(await taking.taken()).toBe(10);
});
