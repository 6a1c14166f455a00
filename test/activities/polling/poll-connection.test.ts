import { describe, expect, it } from 'vitest';
import { type PollProgress, pollConnection } from '../../../activities/polling/poll-connection.ts';
import * as pollLeases from '../../../db/connections/poll-leases.ts';
import * as pollPositions from '../../../db/connections/poll-positions.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import { createAlpha } from '../../../gateways/providers/alpha/client.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { setPolled, usePolledShop } from '../../support/providers/polled-shop.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const { db } = await useDatabase();
const polled = usePolledShop(db);
const { points, poll, row, sell, storeToken } = polled;
const sellEvery = (count: number, firstSecondsAgo: number, stepSeconds: number) =>
  Array.from({ length: count }, (_, n) => sell(firstSecondsAgo - n * stepSeconds));
const asked = (path: string) =>
  polled.alpha
    .journal()
    .flatMap((entry) => (entry.kind === 'request' ? [entry.url] : []))
    .filter((url) => url.startsWith(path));

/** Polls with an alpha whose pages wait until the test goes on. */
function pollSlowly() {
  let goOn = () => {};
  const gone = new Promise<void>((resolve) => (goOn = resolve));
  let ask = () => {};
  const asked = new Promise<void>((resolve) => (ask = resolve));
  const { url } = polled.alpha;
  const real = createAlpha({ environment: 'sandbox', origin: url });
  const alpha: typeof real = {
    ...real,
    async listPayments(...args) {
      ask();
      await gone;
      return real.listPayments(...args);
    },
  };
  const deps = activityDeps(db, { alpha });
  const result = pollConnection(deps, polled.shop.connectionId, { run: 'a slow run' });
  return { asked, goOn: () => goOn(), result };
}

describe('pollConnection', () => {
  it('ingests the sales since the merchant connected, and none before', async () => {
    sell(3601);
    const sold = [sell(3000), sell(20), sell(10)];
    await storeToken();
    expect(await poll()).toEqual({
      status: 'done',
      payments: 3,
      news: 3,
      pages: 1,
      errors: 0,
      retryAfterMs: 0,
    });
    expect(await points()).toBe(3);
    const { watermark, lastError, leaseHolder } = await row();
    expect(watermark.toISOString()).toBe(sold.at(-1)?.updated_at);
    expect([lastError, leaseHolder]).toEqual([null, null]);
  });

  it('records when it came to its end, also when nothing was sold', async () => {
    const polledAt = async () => (await row()).lastPolledAt;
    const { watermark } = await row();
    expect((await poll()).status).toBe('needs_reconnect');
    expect(await polledAt()).toBeNull();
    await storeToken();
    await poll();
    const first = await polledAt();
    expect(Number(first)).toBeGreaterThan(Date.now() - 60_000);
    await poll();
    expect(Number(await polledAt())).toBeGreaterThan(Number(first));
    expect((await row()).watermark).toEqual(watermark);
  });

  it('reads the last five minutes again, and credits them once', async () => {
    sell(900);
    sell(10);
    await storeToken();
    await poll();
    expect(await poll()).toMatchObject({ status: 'done', payments: 1, news: 0 });
    expect(await points()).toBe(2);
  });

  it('ingests a backlog of 60 pages over several runs, and the sales between them', async () => {
    sellEvery(6000, 3500, 0.5);
    await storeToken();
    const results = [];
    for (let sold = 0; results.at(-1)?.status !== 'done'; sold += 7) {
      sellEvery(7, 60 - sold, 0.1);
      results.push(await poll());
    }
    expect(results.map(({ status, pages }) => [status, pages])).toEqual([
      ['capped', 25],
      ['capped', 25],
      ['done', 11],
    ]);
    // Each run continues exactly where the last one stopped, and reads no payment twice.
    expect(results.reduce((sum, { payments }) => sum + payments, 0)).toBe(6021);
    expect(await points()).toBe(6021);
  }, 120_000);

  it('polls in one of several concurrent runs, and returns busy in the others', async () => {
    sellEvery(250, 3000, 1);
    await storeToken();
    const results = await Promise.all([poll(), poll(), poll()]);
    expect(results.map(({ status }) => status).sort()).toEqual(['busy', 'busy', 'done']);
    expect(asked('/v2/payments')).toHaveLength(3);
    expect(await points()).toBe(250);
  });

  it('keeps the lease of a crashed run from other runs, but not from its retry', async () => {
    sell(10);
    await storeToken();
    const crashed = { connectionId: polled.shop.connectionId, holder: crypto.randomUUID() };
    await pollLeases.takeLease(db, crashed, 'the run that crashed');
    expect(await poll()).toMatchObject({ status: 'busy', payments: 0 });
    expect(await poll({ run: 'the run that crashed' })).toMatchObject({ status: 'done' });
    // The attempt that lost its lease can no longer save its position.
    const late = { locationId: 'L', watermark: new Date(), position: positionNow() };
    expect(await pollPositions.save(db, crashed, late)).toBe(false);

    await pollLeases.takeLease(db, crashed, 'another run');
    const past = db.raw(`now() - interval '1 second'`);
    await setPolled(db, polled.shop.connectionId, { leasedUntil: past });
    expect(await poll()).toMatchObject({ status: 'done' });
  });

  it('keeps its lease while a page takes long, and the others stay busy', async () => {
    sell(10);
    await storeToken();
    const slow = pollSlowly();
    await slow.asked;
    const leasedFor = async () => {
      const { leasedUntil } = await row();
      return Number(leasedUntil) - Date.now();
    };
    await setPolled(db, polled.shop.connectionId, {
      leasedUntil: db.raw(`now() + interval '20 seconds'`),
    });
    await expect.poll(leasedFor, { timeout: 40_000 }).toBeGreaterThan(40_000);
    expect(await poll()).toMatchObject({ status: 'busy' });
    slow.goOn();
    expect(await slow.result).toMatchObject({ status: 'done', payments: 1 });
  }, 60_000);

  it('leaves a page to the run that has taken the lease over meanwhile', async () => {
    sell(10);
    await storeToken();
    const slow = pollSlowly();
    await slow.asked;
    // Another run has taken it, and that one has died.
    await setPolled(db, polled.shop.connectionId, {
      leaseRun: 'another run',
      leaseHolder: crypto.randomUUID(),
      leasedUntil: db.raw(`now() - interval '1 second'`),
    });
    expect(await poll()).toMatchObject({ status: 'done', payments: 1, news: 1 });
    const { watermark } = await row();
    slow.goOn();
    expect(await slow.result).toMatchObject({ status: 'busy', news: 0 });
    expect(await points()).toBe(1);
    expect((await row()).watermark).toEqual(watermark);
  });

  it('continues with the pages that an earlier attempt has left', async () => {
    sellEvery(500, 3000, 1);
    await storeToken();
    const beats: PollProgress[] = [];
    const done = { payments: 2200, news: 9, pages: 22, errors: 1 };
    const result = await poll({ done, heartbeat: (progress) => beats.push(progress) });
    expect(result).toMatchObject({ status: 'capped', payments: 2500, pages: 25, errors: 1 });
    expect(beats.map(({ pages }) => pages)).toEqual([23, 24, 25]);
    expect(beats[0]).toMatchObject({
      locationId: polled.shop.locations[0],
      id: expect.any(String),
      payments: 2300,
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    expect(JSON.stringify(beats)).not.toContain(polled.shop.buyer.email);
  });

  it('stops between pages when it is cancelled, and releases the lease', async () => {
    sellEvery(300, 3000, 1);
    await storeToken();
    const stop = new AbortController();
    const heartbeat = () => stop.abort(new Error('The worker stops.'));
    await expect(poll({ heartbeat, signal: stop.signal })).rejects.toThrow('The worker stops.');
    expect((await row()).leaseHolder).toBeNull();
    expect(await poll()).toMatchObject({ status: 'done', payments: 200 });
  });

  it('stops when the merchant disconnects, and returns gone afterwards', async () => {
    sellEvery(1000, 3000, 1);
    await storeToken();
    const { tenantId, connectionId } = polled.shop;
    let disconnected: Promise<unknown> | undefined;
    const heartbeat = () => {
      disconnected ??= posConnections.disconnect(db, tenantId, connectionId).then(() => undefined);
    };
    const result = await poll({ heartbeat });
    await disconnected;
    expect(result.status).toBe('busy');
    expect(result.pages).toBeLessThan(10);
    expect(await poll()).toMatchObject({ status: 'gone', payments: 0, pages: 0 });
  });
});

describe('pollConnection, with a clock that differs', () => {
  it('loses nothing when the provider is ahead, and keeps the watermark in the past', async () => {
    await storeToken();
    const ours = polled.now.getTime();
    polled.now = new Date(ours + 50_000);
    sell(0);
    await poll();
    const { watermark } = await row();
    expect(watermark.getTime()).toBeLessThanOrEqual(Date.now());
    polled.now = new Date(ours + 20_000);
    sell(0);
    expect(await poll()).toMatchObject({ payments: 1 });
    expect(await points()).toBe(2);
    expect((await row()).watermark >= watermark).toBe(true);
  });

  it('advances the watermark only by payment times when the provider is behind', async () => {
    await storeToken();
    polled.now = new Date(polled.now.getTime() - 600_000);
    const first = sell(0);
    await poll();
    expect((await row()).watermark.toISOString()).toBe(first.updated_at);
    polled.now = new Date(polled.now.getTime() + 1_000);
    sell(0);
    await poll();
    expect(await points()).toBe(2);
  });
});

const positionNow = () => ({ at: new Date(), paymentId: null, isAtEnd: true });
