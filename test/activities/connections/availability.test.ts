import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { isAway, mayAsk, probe, probeDue } from '../../../activities/connections/availability.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import type { Alpha } from '../../../gateways/providers/alpha/client.ts';
import { InvalidPayload, ProviderError } from '../../../gateways/providers/shared/error.ts';
import { anAlphaConnection, aTenant, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { anAlphaGateway } from '../../support/providers/providers.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;

let connection: posConnections.PosConnection;
let probes: number;
let answer: (signal: AbortSignal | undefined) => ReturnType<Alpha['listLocations']>;
beforeEach(async () => {
  await db('pos_connections').update({ status: 'disconnected' });
  connection = await aConnection();
  probes = 0;
  answer = async () => [];
});

async function aConnection() {
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId: `M-${randomUUID()}` });
  return required((await posConnections.listActive(db, 'alpha', [tenantId]))[0]);
}
const deps = () =>
  activityDeps(db, {
    alpha: {
      ...anAlphaGateway(),
      listLocations: (_, signal) => {
        probes += 1;
        return answer(signal);
      },
    },
  });
const fails = (status: number | null, retryAfterMs?: number) => async () => {
  throw new ProviderError(`alpha answered ${status}.`, status, { retryAfterMs });
};
const never = new AbortController().signal;
const change = (values: object) =>
  db('pos_connections').where({ id: connection.id }).update(values);
const pauseIsOver = () => change({ askAgainAt: db.raw(`now() - interval '1 ms'`) });
const row = () => db('pos_connections').where({ id: connection.id }).first();

describe('isAway', () => {
  it.each([null, 408, 429, 500, 503])('is true of status %s', (status) => {
    expect(isAway(new ProviderError('no', status))).toBe(true);
  });

  it.each([400, 401, 403, 404])('is false of status %s', (status) => {
    expect(isAway(new ProviderError('no', status))).toBe(false);
  });
});

describe('mayAsk', () => {
  const may = () => mayAsk(deps(), connection, never);

  it('asks a provider that answers without a probe', async () => {
    expect(await may()).toEqual({ answers: true });
    expect(probes).toBe(0);
  });

  it('does not ask during the pause, whoever has noticed that the provider is away', async () => {
    answer = fails(503, 120_000);
    await probe(deps(), connection, never);
    const answering = await may();
    expect(answering).toMatchObject({ answers: false, waitMs: expect.any(Number) });
    expect(probes).toBe(1);
  });

  it('probes once after the pause, however many callers ask', async () => {
    await pauseIsOver();
    let go = () => {};
    answer = () => new Promise((resolve) => (go = () => resolve([])));
    const first = may();
    await expect.poll(() => probes).toBe(1);
    const others = await Promise.all([may(), may(), may()]);
    expect(others.map(({ answers }) => answers)).toEqual([false, false, false]);
    go();
    expect(await first).toEqual({ answers: true });
    expect(await may()).toEqual({ answers: true });
    expect(probes).toBe(1);
  });

  it('never asks for a connection that is not active', async () => {
    await change({ status: 'disconnected' });
    expect(await may()).toMatchObject({ answers: false, waitMs: Number.POSITIVE_INFINITY });
  });
});

describe('probe', () => {
  it.each([
    ['a refusal', fails(403)],
    ['an unexpected body', () => Promise.reject(new InvalidPayload('what'))],
  ])('takes %s for an answer', async (_, refusal) => {
    await pauseIsOver();
    answer = refusal;
    expect(await probe(deps(), connection, never)).toEqual({ answers: true });
    expect(await row()).toMatchObject({ askAgainAt: null, probingUntil: null });
  });

  it('flags a merchant who must reconnect, and does not probe again', async () => {
    await pauseIsOver();
    answer = fails(401);
    expect(await probe(deps(), connection, never)).toMatchObject({ answers: false });
    expect((await row()).needsReconnectSince).toBeInstanceOf(Date);
    expect(await probe(deps(), connection, never)).toBeUndefined();
    expect(probes).toBe(1);
  });

  it('gives its claim up when it is stopped', async () => {
    await pauseIsOver();
    const stop = new AbortController();
    answer = (signal) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const probing = probe(deps(), connection, stop.signal);
    await expect.poll(() => probes).toBe(1);
    stop.abort(new Error('stopped'));
    await expect(probing).rejects.toThrow('stopped');
    expect(await row()).toMatchObject({ probingUntil: null, askAgainAt: expect.any(Date) });
  });

  it('gives its claim up when it cannot be made', async () => {
    await pauseIsOver();
    answer = () => Promise.reject(new TypeError('a bug'));
    await expect(probe(deps(), connection, never)).rejects.toThrow('a bug');
    expect((await row()).probingUntil).toBeNull();
  });
});

describe('probeDue', () => {
  it('probes every connection whose pause is over, although some fail', async () => {
    const others = [await aConnection(), await aConnection()];
    await db('pos_connections').update({ askAgainAt: new Date(0) });
    const replies = [() => Promise.reject(new TypeError('a bug')), fails(503), async () => []];
    answer = () => required(replies.pop())();
    expect(await probeDue(deps(), never)).toBe(1);
    expect(probes).toBe(3);
    const rows = await db('pos_connections').whereIn('id', [
      connection.id,
      ...others.map(({ id }) => id),
    ]);
    expect(rows.filter(({ askAgainAt }) => askAgainAt === null)).toHaveLength(1);
  });

  it('ends when the signal aborts, although providers hang', async () => {
    await pauseIsOver();
    answer = (signal) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    expect(await probeDue(deps(), AbortSignal.timeout(100))).toBe(0);
    expect((await row()).probingUntil).toBeNull();
  });
});
