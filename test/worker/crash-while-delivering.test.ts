import { afterAll, expect, it } from 'vitest';
import * as events from '../../db/outgoing/events.ts';
import { createSealer, createSubkeys } from '../../gateways/crypto/sealer.ts';
import { aCredit, aTenant, aWallet, postByHand, testKeys } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { anEndpoint, untilSettled } from '../support/http/endpoints.ts';
import { startReceiver } from '../support/http/webhook-receiver.ts';
import { createProcesses } from '../support/processes.ts';

const EVENTS = 30;
const FIRST = 5;
/**
 * A worker that has just been started has its connections to make, its machine has other work, and
 * events wait for the oldest open transaction of the server, which other tests use as well.
 */
const STARTED = { timeout: 120_000 };
const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();
const receiver = await startReceiver();
afterAll(() => receiver.close());
const processes = await createProcesses({
  databaseUrl: database.url,
  temporalAddress: temporal.address,
  namespace: temporal.namespace,
  env: { WEBHOOK_ALLOW_LOOPBACK: 'true' },
});
afterAll(() => processes.close());

it('delivers every event although the worker is killed in the middle of an attempt', async () => {
  const tenantId = await aTenant(db);
  const walletId = await aWallet(db, { tenantId });
  const sealer = createSealer(createSubkeys(testKeys, 'webhook secrets'));
  await anEndpoint(db, tenantId, { url: receiver.url, sealer });
  const happen = async (count: number) => {
    for (let nth = 0; nth < count; nth++) {
      await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 1)]));
    }
  };
  const worker = await processes.start('worker');
  await happen(FIRST);
  await expect.poll(() => receiver.taken().length, STARTED).toBe(FIRST);
  // From now on an attempt is open until the worker is killed in it.
  receiver.answer('hang');
  await happen(EVENTS - FIRST);
  await expect.poll(() => receiver.received.length, STARTED).toBe(FIRST + 1);
  process.kill(worker.pid, 'SIGKILL');
  const open = receiver.received.at(-1)?.id ?? '';
  expect(receiver.taken()).not.toContain(open);
  receiver.answer(200);

  await processes.start('worker');
  // Temporal misses its heartbeats after half a minute.
  const taken = () => new Set(receiver.taken()).size;
  await expect.poll(taken, { timeout: 100_000 }).toBe(EVENTS);
  expect(receiver.taken()).toContain(open);
  await untilSettled(db);
  const listed = await events.list(db, tenantId, { after: null, limit: 1_000 });
  expect([...new Set(receiver.taken())].toSorted()).toEqual(
    (listed ?? []).map(({ id }) => String(id)).toSorted(),
  );
  const statuses = () => db('webhook_deliveries').where({ tenantId }).distinct('status');
  await expect.poll(statuses).toEqual([{ status: 'delivered' }]);
  // Longer than all that it waits for together.
}, 500_000);
