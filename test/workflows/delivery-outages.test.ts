import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../db/connection.ts';
import * as events from '../../db/outgoing/events.ts';
import { listDueTenants } from '../../db/outgoing/fan-out.ts';
import type { TenantId, WalletId } from '../../domain/ids.ts';
import { createLogger } from '../../gateways/telemetry/logger.ts';
import { createWebhookSender } from '../../gateways/webhooks/sender.ts';
import { addressFor, SERVICE } from '../../sandbox/postgres/roles.ts';
import { startPostgres } from '../../sandbox/postgres/server.ts';
import { createWake, watchEvents } from '../../worker/event-watch.ts';
import { createServiceDatabase } from '../support/database/service-database.ts';
import { aCredit, aTenant, aWallet, postByHand } from '../support/factories.ts';
import { useTemporal } from '../support/fixtures.ts';
import { anEndpoint } from '../support/http/endpoints.ts';
import { type Receiver, startReceiver } from '../support/http/webhook-receiver.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';

// A server of its own: a transaction that is open in any database of a server holds events up.
const dir = await mkdtemp(join(tmpdir(), 'loyalty-test-'));
const postgres = await startPostgres({
  dataDir: join(dir, 'postgres'),
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
});
await createServiceDatabase(postgres, 'loyalty');
const db = connect(addressFor(postgres, SERVICE, 'loyalty'), 10, 'loyalty-test');
afterAll(async () => {
  await db.destroy();
  await postgres.stop();
  await rm(dir, { recursive: true, force: true });
});

const temporal = await useTemporal();
const log = createLogger({ level: 'silent', service: 'test' });
const webhooks = createWebhookSender({ allowsLoopback: true, withinMs: 2_000 });
const deps = activityDeps(db, { webhooks });
const wake = createWake(temporal.client);
const PATIENT = { timeout: 30_000 };

/** An outage of an hour, in which something happens every five minutes. */
const STEPS = 12;
const STEP_MINUTES = 5;
/** Longer than every interval of the worker's and of a run's own; a minute shows the same. */
const HELD_MS = 10_000;

let receiver: Receiver;
let tenantId: TenantId;
let walletId: WalletId;
beforeEach(async () => {
  receiver = await startReceiver();
  tenantId = await aTenant(db);
  walletId = await aWallet(db, { tenantId });
  await anEndpoint(db, tenantId, { url: receiver.url });
});
afterEach(() => receiver.close());

const happens = () => db.transaction((tx) => postByHand(tx, [aCredit(walletId, 1)]));
const listedIds = async () => {
  const listed = await events.list(db, tenantId, { after: null, limit: 1_000 });
  return (listed ?? []).map(({ id }) => String(id));
};

/** Wakes deliveries as the worker does, while `work` goes on. */
async function whileWatched(work: () => Promise<void>): Promise<void> {
  await temporal.withWorker(deps, async () => {
    const end = new AbortController();
    const watching = watchEvents({ db, log, wake }, end.signal, 100);
    try {
      await work();
    } finally {
      end.abort();
      await watching;
    }
  });
}

/** Lets so many minutes pass for all that waits, and the tick of reconcile that then comes. */
async function pass(minutes: number): Promise<void> {
  await db('webhook_deliveries')
    .where({ tenantId, status: 'pending' })
    .whereNotNull('nextAttemptAt')
    .update({ nextAttemptAt: db.raw('next_attempt_at - make_interval(mins => ?)', [minutes]) });
  for (const due of await listDueTenants(db, { after: null, limit: 100 })) await wake(due);
}

describe('an endpoint that was down for an hour', () => {
  it('gets every event within minutes of its return, by the ids of the list', async () => {
    await whileWatched(async () => {
      receiver.answer(503);
      for (let step = 0; step < STEPS; step++) {
        const before = receiver.received.length;
        await happens();
        await happens();
        await expect.poll(() => receiver.received.length, PATIENT).toBeGreaterThan(before);
        await pass(STEP_MINUTES);
      }
      expect(receiver.taken()).toEqual([]);

      receiver.answer(200);
      await pass(STEP_MINUTES);
      await expect.poll(() => new Set(receiver.taken()).size, PATIENT).toBe(2 * STEPS);
      expect(receiver.taken().toSorted()).toEqual((await listedIds()).toSorted());
    });
  });
});

describe('a transaction that is held open', () => {
  it('makes neither the delivery nor a reader of the list pass its event over', async () => {
    const other = await aWallet(db, { tenantId });
    await whileWatched(async () => {
      const open = await db.transaction();
      await postByHand(open, [aCredit(walletId, 7)]);
      for (let nth = 0; nth < 5; nth++) {
        await db.transaction((tx) => postByHand(tx, [aCredit(other, 1)]));
        await wake(tenantId);
        await sleep(HELD_MS / 5);
        // The server would end a transaction that is idle for a minute.
        await open.raw('select');
      }
      expect(receiver.received).toEqual([]);
      expect(await listedIds()).toEqual([]);

      await open.commit();
      await expect.poll(() => receiver.taken().length, PATIENT).toBe(6);
      const ids = await listedIds();
      expect(receiver.taken().toSorted()).toEqual(ids.toSorted());
      const held = receiver.received.find(({ body }) => JSON.parse(body).data.points === 7);
      expect(held?.id).toBe(ids[0]);
    });
  });
});
