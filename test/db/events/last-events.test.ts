import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { listConnections } from '../../../db/connections/overview.ts';
import { anAlphaConnection, aTenant, storedEvents } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;
const tenantId = await aTenant(db);
const merchantId = `M-${randomUUID()}`;
await anAlphaConnection(db, { tenantId, merchantId });

const lastEventAt = async () => {
  const [connection] = await listConnections(db, { tenantId, after: null, limit: 1 });
  return connection?.lastEventAt?.getTime() ?? null;
};
const deliver = () => storedEvents(db, merchantId, [Buffer.from('{}'), Buffer.from('{}')]);
const noted = (secondsAgo: number) =>
  db('last_events').update({ receivedAt: new Date(Date.now() - secondsAgo * 1000) });

it('is the time of a connection’s newest event, to within ten seconds', async () => {
  expect(await lastEventAt()).toBeNull();
  const before = Date.now();
  await deliver();
  const first = await lastEventAt();
  expect(first).toBeGreaterThan(before - 1_000);

  await deliver();
  expect(await lastEventAt()).toBe(first);
  await noted(11);
  await deliver();
  expect(await lastEventAt()).toBeGreaterThan(before - 1_000);
});

it('is not waited for by another intake', async () => {
  await deliver();
  await noted(60);
  await db.transaction(async (tx) => {
    await tx('last_events').update({ receivedAt: tx.fn.now() });
    await deliver();
  });
  expect(await lastEventAt()).toBeGreaterThan(Date.now() - 10_000);
});
