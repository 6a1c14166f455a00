import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { LeasedEvents } from '../../../../activities/ingestion/events/leased-events.ts';
import { LEASE_SECONDS } from '../../../../db/events/leases.ts';
import type { EventId } from '../../../../domain/ids.ts';
import {
  aConnectedShop,
  anAlphaEvent,
  required,
  storedEvents,
} from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';

const { db } = await useDatabase();

let ids: EventId[];
let nowMs: number;
beforeEach(async () => {
  const { merchantId } = await aConnectedShop(db);
  ids = await storedEvents(db, merchantId, [anAlphaEvent(merchantId), anAlphaEvent(merchantId)]);
  nowMs = 5_000;
});

const leased = (run: string = randomUUID()) => new LeasedEvents(db, run, () => nowMs);
const leasedUntil = async () => {
  const rows = await db('pending_events').whereIn('id', ids).orderBy('id').select('leasedUntil');
  return rows.map((row: { leasedUntil: Date }) => row.leasedUntil.getTime());
};

it('writes nothing of a lease that is fresh, and renews an older one', async () => {
  const events = leased();
  expect([...(await events.claim(ids))].sort()).toEqual([...ids].sort());
  const before = await leasedUntil();
  nowMs += LEASE_SECONDS * 500 - 1;
  await events.keep();
  expect(await leasedUntil()).toEqual(before);
  nowMs += 1;
  await events.keep();
  for (const [nth, until] of (await leasedUntil()).entries()) {
    expect(until).toBeGreaterThan(required(before[nth]));
  }
  const renewed = await leasedUntil();
  await events.keep();
  expect(await leasedUntil()).toEqual(renewed);
});

it('is renewed once by all who need it at the same time', async () => {
  const events = leased();
  await events.claim(ids);
  nowMs += LEASE_SECONDS * 1_000;
  let renewals = 0;
  const count = ({ sql }: { sql: string }) => {
    if (sql.startsWith('update pending_events set leased_until')) renewals += 1;
  };
  db.on('query', count);
  await Promise.all([events.keep(), events.keep(), events.renew()]);
  db.off('query', count);
  expect(renewals).toBe(1);
});

it('no longer has what a later attempt of its run has taken over, once it is renewed', async () => {
  const [first, second] = [leased('a run'), leased('a run')];
  await first.claim(ids);
  await second.claim(ids.slice(0, 1));
  await first.renew();
  expect(ids.map((id) => first.has(id))).toEqual([false, true]);
  await first.release();
  const open = await db('pending_events').whereIn('id', ids).whereNull('leasedUntil').pluck('id');
  expect(open).toEqual(ids.slice(1));
});
