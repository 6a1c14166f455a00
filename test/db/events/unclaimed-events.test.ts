import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import * as dueEvents from '../../../db/events/due-events.ts';
import { assignTenants } from '../../../db/events/unclaimed-events.ts';
import { anAlphaConnection, aTenant, storedEvents } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { eventRows, forgetEvents } from '../../support/providers/events.ts';

const database = await useDatabase();
const { db } = database;
beforeEach(() => forgetEvents(database.owner));

const unclaimed = (merchantId: string, count = 1) =>
  storedEvents(
    db,
    merchantId,
    Array.from({ length: count }, () => Buffer.from('{}')),
  );
const age = (interval: string) =>
  db('stalled_events').update({ receivedAt: db.raw('now() - ?::interval', [interval]) });

it('makes events due whose merchant has connected since, and leaves those of others', async () => {
  const merchants = [1, 2, 3].map((nth) => `M-${nth}-${randomUUID()}`);
  const [first = '', , third = ''] = merchants;
  for (const merchantId of merchants) await unclaimed(merchantId, 2);
  await age('1 minute');
  expect(await assignTenants(db, 100)).toBe(0);

  const tenants = [await aTenant(db), await aTenant(db)] as const;
  await anAlphaConnection(db, { tenantId: tenants[0], merchantId: first });
  await anAlphaConnection(db, { tenantId: tenants[1], merchantId: third });
  expect(await assignTenants(db, 3)).toBe(3);
  expect(await assignTenants(db, 3)).toBe(1);
  expect(await assignTenants(db, 3)).toBe(0);
  const taken = await dueEvents.takePending(db, { limit: 10 });
  expect(taken.map(({ tenantId }) => tenantId).sort()).toEqual([...tenants, ...tenants].sort());
  expect(await eventRows(db).whereNull('tenantId')).toHaveLength(2);
});

it('claims nothing for a connection that is not active, or after 7 days', async () => {
  const merchantId = `M-${randomUUID()}`;
  const tenantId = await aTenant(db);
  await unclaimed(merchantId);
  await anAlphaConnection(db, { tenantId, merchantId });
  const status = (value: string) =>
    db('pos_connections').where({ tenantId }).update({ status: value });
  await status('disconnected');
  expect(await assignTenants(db, 10)).toBe(0);
  await status('active');
  await age('8 days');
  expect(await assignTenants(db, 10)).toBe(0);
  await age('6 days');
  expect(await assignTenants(db, 10)).toBe(1);
});
