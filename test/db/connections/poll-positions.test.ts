import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as pollPositions from '../../../db/connections/poll-positions.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import { ConnectionId, type TenantId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant, required, testSealer } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

let tenantId: TenantId;
let lease: pollPositions.Lease;
const database = await useDatabase();
const { db } = database;
beforeEach(async () => {
  await db('pos_connections').update({ status: 'disconnected' });
  tenantId = await aTenant(db, { country: 'DE' });
  lease = aLease(await connect(tenantId));
});

async function connect(tenant: TenantId, merchantId = `M-${randomUUID()}`): Promise<ConnectionId> {
  await anAlphaConnection(db, { tenantId: tenant, merchantId });
  const row = await db('pos_connections').where({ tenantId: tenant }).first('id');
  return ConnectionId.parse(row?.id);
}
const aLease = (connectionId: ConnectionId) => ({ connectionId, holder: randomUUID() });
const row = async () => required(await db('pos_connections').where({ tenantId }).first());
const change = (values: object) => db('pos_connections').where({ tenantId }).update(values);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const at = (minutes: number) => ({ at: minutesAgo(minutes), paymentId: 'P', isAtEnd: false });
const kept = (minutes: number, watermark: Date, locationId = 'L') => ({
  locationId,
  watermark,
  position: at(minutes),
});

describe('takeLease', () => {
  it('returns what a poll needs to know: it starts at the time of connecting', async () => {
    const taken = await pollPositions.takeLease(db, lease, 'run');
    const { watermark } = await row();
    expect(taken).toEqual({ tenantId, tenantCountry: 'DE', watermark, polledFrom: watermark });
  });

  it('busy while another run has it, and free once that run has released it', async () => {
    await pollPositions.takeLease(db, lease, 'run');
    const next = aLease(lease.connectionId);
    expect(await pollPositions.takeLease(db, next, 'next')).toBe('busy');
    await pollPositions.releaseLease(db, lease, null);
    expect(await pollPositions.takeLease(db, next, 'next')).toMatchObject({ tenantId });
  });

  it('gives the lease to one of ten concurrent calls', async () => {
    const takes = Array.from({ length: 10 }, (_, n) =>
      pollPositions.takeLease(db, aLease(lease.connectionId), `run ${n}`),
    );
    const taken = (await Promise.all(takes)).filter((each) => each !== 'busy');
    expect(taken).toHaveLength(1);
  });

  it('free again when it has expired, and then lost to its former holder', async () => {
    await pollPositions.takeLease(db, lease, 'run');
    await change({ pollLeasedUntil: db.raw(`now() - interval '1 millisecond'`) });
    await pollPositions.takeLease(db, aLease(lease.connectionId), 'next');
    expect(await pollPositions.renewLease(db, lease)).toBeUndefined();
    expect(await pollPositions.save(db, lease, kept(1, minutesAgo(1)))).toBe(false);
    await pollPositions.releaseLease(db, lease, 'of no concern any more');
    expect(await row()).toMatchObject({ pollLeaseRun: 'next', lastError: null });
  });

  it('gone when the merchant has disconnected, and for a connection not to alpha', async () => {
    await change({ status: 'disconnected' });
    expect(await pollPositions.takeLease(db, lease, 'run')).toBe('gone');
    await change({ status: 'active', posType: 'beta' });
    expect(await pollPositions.takeLease(db, lease, 'run')).toBe('gone');
    const unknown = aLease(ConnectionId.parse(randomUUID()));
    expect(await pollPositions.takeLease(db, unknown, 'run')).toBe('gone');
  });
});

describe('renewLease', () => {
  it('returns the connection with its current tokens, and the database’s time', async () => {
    await pollPositions.takeLease(db, lease, 'run');
    await change({
      pollLeasedUntil: db.raw(`now() + interval '1 second'`),
      sealedAccessToken: 'refreshed meanwhile',
    });
    const { connection, now } = required(await pollPositions.renewLease(db, lease));
    expect(connection).toMatchObject({ tenantId, sealedAccessToken: 'refreshed meanwhile' });
    expect((await row()).pollLeasedUntil.getTime() - now.getTime()).toBe(60_000);
  });

  it('undefined when the merchant has disconnected or reconnected', async () => {
    await pollPositions.takeLease(db, lease, 'run');
    await change({ status: 'disconnected' });
    expect(await pollPositions.renewLease(db, lease)).toBeUndefined();
    await connect(tenantId);
    expect(await pollPositions.renewLease(db, lease)).toBeUndefined();
    const taken = await pollPositions.takeLease(db, lease, 'run');
    expect(taken).toMatchObject({ tenantId });
  });
});

describe('save', () => {
  it('stores the last position of each location', async () => {
    await pollPositions.takeLease(db, lease, 'run');
    const { watermark } = await row();
    for (const minutes of [9, 7]) await pollPositions.save(db, lease, kept(minutes, watermark));
    await pollPositions.save(db, lease, kept(5, watermark, 'OTHER'));
    const found = await pollPositions.list(db, lease.connectionId);
    expect(found.map(({ locationId }) => locationId).sort()).toEqual(['L', 'OTHER']);
    expect(found.find(({ locationId }) => locationId === 'L')).toMatchObject({
      paymentId: 'P',
      isAtEnd: false,
      polledAt: expect.any(Date),
      at: expect.any(Date),
    });
    expect(await pollPositions.list(db, ConnectionId.parse(randomUUID()))).toEqual([]);
  });

  it('moves the watermark forward, never back or past the database’s time', async () => {
    await pollPositions.takeLease(db, lease, 'run');
    const first = minutesAgo(60);
    await change({ watermark: first });
    const later = minutesAgo(30);
    await pollPositions.save(db, lease, kept(1, later));
    expect((await row()).watermark).toEqual(later);
    await pollPositions.save(db, lease, kept(1, first));
    expect((await row()).watermark).toEqual(later);
    await pollPositions.save(db, lease, kept(1, minutesAgo(-60)));
    const { rows } = await db.raw('select now() as now');
    expect((await row()).watermark.getTime()).toBeLessThanOrEqual(rows[0].now.getTime());
  });

  it('stores nothing without the lease', async () => {
    const before = await row();
    expect(await pollPositions.save(db, lease, kept(1, minutesAgo(-1)))).toBe(false);
    expect(await row()).toEqual(before);
    expect(await pollPositions.list(db, lease.connectionId)).toEqual([]);
  });
});

describe('releaseLease', () => {
  it('records an error, clears it for null, and keeps it for undefined', async () => {
    for (const [error, noted] of [
      ['alpha answered 503.', 'alpha answered 503.'],
      [undefined, 'alpha answered 503.'],
      [null, null],
    ] as const) {
      await pollPositions.takeLease(db, lease, 'run');
      await pollPositions.releaseLease(db, lease, error);
      expect(await row()).toMatchObject({ lastError: noted, pollLeaseHolder: null });
    }
  });

  it('keeps the error that says that the merchant must reconnect', async () => {
    await pollPositions.takeLease(db, lease, 'run');
    await change({ lastError: 'Connect again.', needsReconnectSince: new Date() });
    await pollPositions.releaseLease(db, lease, 'alpha answered 503.');
    expect((await row()).lastError).toBe('Connect again.');
  });
});

describe('reconnecting', () => {
  const reconnect = (merchantId: string) =>
    posConnections.connect(db, {
      tenantId,
      merchantId,
      provider: 'alpha',
      tokenExpiresAt: null,
      sealedAccessToken: testSealer.seal('t', { tenantId, provider: 'alpha', field: 'f' }),
      sealedRefreshToken: null,
    });

  it('polls the same account from where polling stopped, at most 7 days back', async () => {
    const { merchantId } = await row();
    const [long, short] = [minutesAgo(30 * 24 * 60), minutesAgo(60)];
    await change({ polledFrom: short, watermark: short });
    await reconnect(merchantId);
    expect(await row()).toMatchObject({ polledFrom: short, watermark: short });
    await change({ polledFrom: long });
    await reconnect(merchantId);
    const days = (Date.now() - (await row()).polledFrom.getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThan(7.01);
  });

  it('polls another account from now on', async () => {
    await change({ polledFrom: minutesAgo(60), watermark: minutesAgo(60) });
    await reconnect(`M-${randomUUID()}`);
    const { polledFrom, watermark } = await row();
    expect(polledFrom).toEqual(watermark);
    expect(polledFrom.getTime()).toBeGreaterThan(minutesAgo(30).getTime());
  });
});

describe('listPolled and findPolled', () => {
  it('find only active alpha connections, ordered by id, page by page', async () => {
    const ids = [lease.connectionId];
    for (let n = 0; n < 4; n++) ids.push(await connect(await aTenant(db)));
    const beta = await connect(await aTenant(db));
    await db('pos_connections').where({ id: beta }).update({ posType: 'beta' });
    const gone = await connect(await aTenant(db));
    await db('pos_connections').where({ id: gone }).update({ status: 'disconnected' });

    const found: ConnectionId[] = [];
    for (let after: ConnectionId | null = null; ; ) {
      const batch = await pollPositions.listPolled(db, { after, limit: 2 });
      found.push(...batch.map(({ id }) => id));
      after = batch.at(-1)?.id ?? null;
      if (after === null) break;
    }
    expect(found).toEqual([...ids].sort());
    expect(await pollPositions.findPolled(db, lease.connectionId)).toMatchObject({
      id: lease.connectionId,
      tenantId,
      needsReconnectSince: null,
    });
    for (const id of [beta, gone]) expect(await pollPositions.findPolled(db, id)).toBeUndefined();
  });
});
