import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as availability from '../../../db/connections/availability.ts';
import { ConnectionId, type TenantId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

let tenantId: TenantId;
let id: ConnectionId;
beforeEach(async () => {
  await db('pos_connections').update({ status: 'disconnected' });
  tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId: `M-${randomUUID()}` });
  id = ConnectionId.parse((await row()).id);
});

const row = () => db('pos_connections').where({ tenantId }).first();
const change = (values: object) => db('pos_connections').where({ tenantId }).update(values);
const away = (retryAfterMs = 0, isProbe = false) =>
  availability.recordAway(db, id, { retryAfterMs, error: 'alpha answered 503.', isProbe });
const endPause = () => change({ askAgainAt: db.raw(`now() - interval '1 ms'`) });
const state = async () => (await availability.read(db, id))?.state;

describe('a provider that is away', () => {
  it('is asked again after a pause that doubles up to less than a sweep interval', async () => {
    const waits: number[] = [];
    for (let time = 0; time < 9; time++) {
      waits.push(Math.round((await away()) / 1000));
      expect(await state()).toBe('away');
      await endPause();
      expect(await state()).toBe('due');
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 50, 50, 50]);
  });

  it('is asked again after 1 s when it was away long ago', async () => {
    for (let time = 0; time < 5; time++) {
      await away();
      await endPause();
    }
    await change({ awayAt: db.raw(`now() - interval '6 minutes'`) });
    expect(Math.round((await away()) / 1000)).toBe(1);
  });

  it('is not asked before it asked for, whoever records a shorter pause later', async () => {
    expect(Math.round((await away(900_000)) / 1000)).toBe(900);
    expect(Math.round((await away(2_000)) / 1000)).toBe(900);
    expect((await availability.read(db, id))?.waitMs).toBeGreaterThan(890_000);
  });

  it('is counted once, however many callers notice at the same time', async () => {
    await Promise.all(Array.from({ length: 8 }, () => away()));
    expect((await row()).awayCount).toBe(1);
  });

  it('shows its error to the merchant until it answers', async () => {
    await away();
    expect((await row()).lastError).toBe('alpha answered 503.');
    await endPause();
    await availability.recordAnswer(db, id);
    expect(await row()).toMatchObject({ lastError: null, askAgainAt: null });
    expect(await state()).toBe('answers');
  });

  it('keeps the pause that another caller has recorded during the probe', async () => {
    await away();
    await endPause();
    await availability.claimProbe(db, id);
    await away(300_000);
    await availability.recordAnswer(db, id);
    expect(await state()).toBe('away');
  });
});

describe('claimProbe', () => {
  const claim = () => availability.claimProbe(db, id);

  it('lets one caller probe at a time, after the pause', async () => {
    await away();
    expect(await claim()).toBe(false);
    await endPause();
    const claims = await Promise.all(Array.from({ length: 8 }, claim));
    expect(claims.filter((isMine) => isMine)).toHaveLength(1);
    expect(await availability.read(db, id)).toMatchObject({ state: 'away' });
    expect((await availability.read(db, id))?.waitMs).toBeGreaterThan(0);
  });

  it('lets the next caller probe after the result, or when the prober was killed', async () => {
    expect(await claim()).toBe(true);
    await away(0, true);
    await endPause();
    expect(await claim()).toBe(true);
    await availability.dropProbe(db, id);
    expect(await claim()).toBe(true);
    await change({ probingUntil: new Date(Date.now() - 1) });
    expect(await claim()).toBe(true);
  });

  it.each([{ needsReconnectSince: new Date() }, { status: 'disconnected' }])(
    'probes no connection with %o',
    async (changes) => {
      await change(changes);
      expect(await claim()).toBe(false);
      await change({ askAgainAt: new Date(0) });
      expect(await availability.listProbeable(db, 'alpha', 10)).toEqual([]);
    },
  );
});

describe('listProbeable', () => {
  const listed = async () =>
    (await availability.listProbeable(db, 'alpha', 10)).map((connection) => connection.id);

  it('lists those whose pause is over and that nobody probes', async () => {
    expect(await listed()).toEqual([]);
    await away();
    expect(await listed()).toEqual([]);
    await endPause();
    expect(await listed()).toEqual([id]);
    await availability.claimProbe(db, id);
    expect(await listed()).toEqual([]);
  });
});

describe('read', () => {
  it('is undefined for a connection that is not active', async () => {
    await change({ status: 'disconnected' });
    expect(await availability.read(db, id)).toBeUndefined();
  });
});
