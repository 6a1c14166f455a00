import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as pollLeases from '../../../db/connections/poll-leases.ts';
import * as pollPositions from '../../../db/connections/poll-positions.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import { ConnectionId, type TenantId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant, required, testSealer } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { setPolled } from '../../support/polled-shop.ts';

let tenantId: TenantId;
let lease: pollLeases.Lease;
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
const connectionId = () => lease.connectionId;
const row = () => db('pos_connections').where({ tenantId }).first();
const polls = async () =>
  required(await db('connection_polls').where({ connectionId: connectionId() }).first());
const change = (values: object) => db('pos_connections').where({ tenantId }).update(values);
const changePolls = (values: object) => setPolled(db, connectionId(), values);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const at = (minutes: number) => ({ at: minutesAgo(minutes), paymentId: 'P', isAtEnd: false });
const kept = (minutes: number, watermark: Date, locationId = 'L') => ({
  locationId,
  watermark,
  position: at(minutes),
});

describe('save', () => {
  it('stores the last position of each location', async () => {
    await pollLeases.takeLease(db, lease, 'run');
    const { watermark } = await polls();
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
    await pollLeases.takeLease(db, lease, 'run');
    const first = minutesAgo(60);
    await changePolls({ watermark: first });
    const later = minutesAgo(30);
    await pollPositions.save(db, lease, kept(1, later));
    expect((await polls()).watermark).toEqual(later);
    await pollPositions.save(db, lease, kept(1, first));
    expect((await polls()).watermark).toEqual(later);
    await pollPositions.save(db, lease, kept(1, minutesAgo(-60)));
    const { rows } = await db.raw('select now() as now');
    expect((await polls()).watermark.getTime()).toBeLessThanOrEqual(rows[0].now.getTime());
  });

  it('stores nothing without the lease', async () => {
    const before = await polls();
    expect(await pollPositions.save(db, lease, kept(1, minutesAgo(-1)))).toBe(false);
    expect(await polls()).toEqual(before);
    expect(await pollPositions.list(db, lease.connectionId)).toEqual([]);
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
    await changePolls({ polledFrom: short, watermark: short });
    await reconnect(merchantId);
    expect(await polls()).toMatchObject({ polledFrom: short, watermark: short });
    await change({ polledFrom: long });
    await changePolls({ polledFrom: long });
    await reconnect(merchantId);
    const days = (Date.now() - (await polls()).polledFrom.getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThan(7.01);
  });

  it('polls another account from now on', async () => {
    await changePolls({ polledFrom: minutesAgo(60), watermark: minutesAgo(60), coveredPolls: 3 });
    await pollLeases.takeLease(db, lease, 'run');
    await reconnect(`M-${randomUUID()}`);
    const { polledFrom, watermark, coveredPolls, leaseHolder } = await polls();
    expect([coveredPolls, leaseHolder]).toEqual([0, null]);
    expect(polledFrom).toEqual(watermark);
    expect(polledFrom.getTime()).toBeGreaterThan(minutesAgo(30).getTime());
  });
});

describe('listPolled, findPolled and countPolled', () => {
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
    expect(await pollPositions.countPolled(db)).toBe(5);
    expect(await pollPositions.findPolled(db, [beta, gone, lease.connectionId])).toEqual([
      { id: lease.connectionId, tenantId, needsReconnectSince: null, coveredPolls: 0 },
    ]);
  });
});
