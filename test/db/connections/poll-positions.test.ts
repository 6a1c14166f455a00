import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as pollLeases from '../../../db/connections/poll-leases.ts';
import * as pollPositions from '../../../db/connections/poll-positions.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import { ConnectionId } from '../../../domain/ids.ts';
import { aTenant, testSealer } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import {
  connectTo,
  minutesAgo,
  positionAt,
  useConnectionToLease,
} from '../../support/providers/leased-connection.ts';

const { db } = await useDatabase();
const shop = useConnectionToLease(db);
const { changePolls, polls, row } = shop;

describe('save', () => {
  it('stores the last position of each location', async () => {
    await pollLeases.takeLease(db, shop.lease, 'run');
    const { watermark } = await polls();
    for (const position of [
      positionAt(9, watermark),
      positionAt(7, watermark),
      positionAt(5, watermark, 'OTHER'),
    ]) {
      await pollPositions.save(db, shop.lease, position);
    }
    const found = await pollPositions.list(db, shop.lease.connectionId);
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
    await pollLeases.takeLease(db, shop.lease, 'run');
    const first = minutesAgo(60);
    await changePolls({ watermark: first });
    const later = minutesAgo(30);
    await pollPositions.save(db, shop.lease, positionAt(1, later));
    expect((await polls()).watermark).toEqual(later);
    await pollPositions.save(db, shop.lease, positionAt(1, first));
    expect((await polls()).watermark).toEqual(later);
    await pollPositions.save(db, shop.lease, positionAt(1, minutesAgo(-60)));
    const { rows } = await db.raw('select now() as now');
    expect((await polls()).watermark.getTime()).toBeLessThanOrEqual(rows[0].now.getTime());
  });

  it('stores nothing without the lease', async () => {
    const before = await polls();
    expect(await pollPositions.save(db, shop.lease, positionAt(1, minutesAgo(-1)))).toBe(false);
    expect(await polls()).toEqual(before);
    expect(await pollPositions.list(db, shop.lease.connectionId)).toEqual([]);
  });
});

describe('reconnecting', () => {
  const reconnect = (merchantId: string) =>
    posConnections.connect(db, {
      tenantId: shop.tenantId,
      merchantId,
      provider: 'alpha',
      tokenExpiresAt: null,
      sealedAccessToken: testSealer.seal('t', {
        tenantId: shop.tenantId,
        provider: 'alpha',
        field: 'f',
      }),
      sealedRefreshToken: null,
    });

  it('polls the same account from where polling stopped, at most 7 days back', async () => {
    const { merchantId } = await row();
    const [long, short] = [minutesAgo(30 * 24 * 60), minutesAgo(60)];
    await changePolls({ polledFrom: short, watermark: short });
    await reconnect(merchantId);
    expect(await polls()).toMatchObject({ polledFrom: short, watermark: short });
    await changePolls({ polledFrom: long });
    await reconnect(merchantId);
    const days = (Date.now() - (await polls()).polledFrom.getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(6.99);
    expect(days).toBeLessThan(7.01);
  });

  it('polls another account from now on', async () => {
    await changePolls({ polledFrom: minutesAgo(60), watermark: minutesAgo(60), coveredPolls: 3 });
    await pollLeases.takeLease(db, shop.lease, 'run');
    await reconnect(`M-${randomUUID()}`);
    const { polledFrom, watermark, coveredPolls, leaseHolder } = await polls();
    expect([coveredPolls, leaseHolder]).toEqual([0, null]);
    expect(polledFrom).toEqual(watermark);
    expect(polledFrom.getTime()).toBeGreaterThan(minutesAgo(30).getTime());
  });
});

describe('listPolled, findPolled and countPolled', () => {
  it('find only active alpha connections, ordered by id, page by page', async () => {
    const ids = [shop.lease.connectionId];
    for (let n = 0; n < 4; n++) ids.push(await connectTo(db, await aTenant(db)));
    const beta = await connectTo(db, await aTenant(db));
    await db('pos_connections').where({ id: beta }).update({ provider: 'beta' });
    const gone = await connectTo(db, await aTenant(db));
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
    expect(await pollPositions.findPolled(db, [beta, gone, shop.lease.connectionId])).toEqual([
      {
        id: shop.lease.connectionId,
        provider: 'alpha',
        tenantId: shop.tenantId,
        needsReconnectSince: null,
        coveredPolls: 0,
      },
    ]);
  });
});
