import { describe, expect, it } from 'vitest';
import { ingestEventBatch } from '../../../activities/ingestion/events/ingest-events.ts';
import * as availability from '../../../db/connections/availability.ts';
import { anAlphaEvent, storedEvents, testPolicy } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { setPolled, usePolledShop } from '../../support/providers/polled-shop.ts';

const { db } = await useDatabase();
const polled = usePolledShop(db);
const { points, poll, row, sell, storeToken } = polled;
const covered = async () => (await row()).coveredPolls;
/** The webhook of a sale arrives and is ingested. */
async function deliver({ id, updated_at }: { id: string; updated_at: string }) {
  const { merchantId, buyer } = polled.shop;
  const body = anAlphaEvent(merchantId, {
    id,
    amount: 1,
    email: buyer.email,
    updatedAt: new Date(updated_at),
  });
  await ingestEventBatch(db, await storedEvents(db, merchantId, [body]), new Map(), testPolicy);
}

describe('covered polls', () => {
  it('count up while webhooks bring every sale first, and a missed one starts again', async () => {
    await storeToken();
    const seen: number[] = [];
    for (const secondsAgo of [900, 800, 700, 600]) {
      await deliver(sell(secondsAgo));
      await poll();
      seen.push(await covered());
      // Nothing was sold since.
      await poll();
    }
    // As a backup, the third found nothing, and that counts.
    expect(seen).toEqual([1, 2, 3, 5]);
    await deliver(sell(500));
    sell(400);
    expect(await poll()).toMatchObject({ status: 'done', errors: 0 });
    expect(await covered()).toBe(0);
    expect(await points()).toBe(6);
  });

  it('nothing follows from a sale whose webhook may be on its way', async () => {
    await storeToken();
    await setPolled(db, polled.shop.connectionId, { coveredPolls: 2 });
    sell(10);
    await poll();
    expect(await covered()).toBe(2);
  });

  it('a known sale without any webhook proves nothing', async () => {
    await storeToken();
    await deliver(sell(900));
    await db('last_events').update({ receivedAt: new Date(0) });
    await poll();
    expect(await covered()).toBe(0);
  });

  it('a poll that fails starts again, and so does a provider that is away', async () => {
    await setPolled(db, polled.shop.connectionId, { coveredPolls: 3 });
    expect((await poll()).status).toBe('needs_reconnect');
    expect(await covered()).toBe(0);
    await setPolled(db, polled.shop.connectionId, { coveredPolls: 3 });
    const away = { retryAfterMs: 0, error: 'alpha answered 503.', isProbe: false };
    await availability.recordAway(db, polled.shop.connectionId, away);
    expect(await covered()).toBe(0);
  });

  it('a run that is cut off by the end of its worker says nothing', async () => {
    await storeToken();
    await setPolled(db, polled.shop.connectionId, { coveredPolls: 3 });
    const signal = AbortSignal.abort(new Error('The worker stops.'));
    await expect(poll({ run: 'cut off', signal })).rejects.toThrow('The worker stops.');
    expect(await covered()).toBe(3);
  });
});
