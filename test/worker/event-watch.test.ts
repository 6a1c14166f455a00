import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantId, WalletId } from '../../domain/ids.ts';
import { watchEvents } from '../../worker/event-watch.ts';
import { aCredit, aTenant, aWallet, postByHand } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { anEndpoint, untilSettled } from '../support/http/endpoints.ts';

const { db } = await useDatabase();
const log = { warn: () => undefined };
let tenantId: TenantId;
let walletId: WalletId;
beforeEach(async () => {
  tenantId = await aTenant(db);
  walletId = await aWallet(db, { tenantId });
  await anEndpoint(db, tenantId);
});

async function happens(): Promise<void> {
  await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 1)]));
  await untilSettled(db);
}

/** Has some workers watch, with what tells a tenant, while `work` goes on. */
async function whileWatched(
  workers: number,
  wake: (tenantId: TenantId) => Promise<unknown>,
  work: () => Promise<void>,
): Promise<void> {
  const end = new AbortController();
  const watching = Array.from({ length: workers }, () =>
    watchEvents({ db, log, wake }, end.signal, 5),
  );
  await work().finally(() => end.abort());
  await Promise.all(watching);
}

describe('workers that watch', () => {
  it('tell a tenant once of each event, however many they are', async () => {
    const told: TenantId[] = [];
    const wake = async (tenant: TenantId) => {
      told.push(tenant);
      await sleep(20);
    };
    await whileWatched(4, wake, async () => {
      for (let nth = 1; nth <= 10; nth++) {
        await happens();
        await expect.poll(() => told.length, { timeout: 10_000 }).toBe(nth);
      }
      // Time for each of them to look again.
      await sleep(200);
    });
    expect(told).toEqual(Array(10).fill(tenantId));
  });

  it('tell of an event again when they could not', async () => {
    let failures = 0;
    const told: TenantId[] = [];
    const wake = async (tenant: TenantId) => {
      if (failures++ < 3) throw new Error('Temporal is away.');
      told.push(tenant);
    };
    await happens();
    await whileWatched(1, wake, () => expect.poll(() => told.length, { timeout: 10_000 }).toBe(1));
    expect(told).toEqual([tenantId]);
  });

  it('tell of what was settled while none of them watched', async () => {
    const told: TenantId[] = [];
    const wake = async (tenant: TenantId) => told.push(tenant);
    await whileWatched(1, wake, async () => undefined);
    await happens();
    await whileWatched(1, wake, () => expect.poll(() => told.length, { timeout: 10_000 }).toBe(1));
  });
});
