import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as leases from '../../../db/events/leases.ts';
import type { EventId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant, required, storedEvents } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { closeEvents, eventRows } from '../../support/providers/events.ts';

const database = await useDatabase();
const { db } = database;

let id: EventId;
beforeEach(async () => {
  const merchantId = `M-${randomUUID()}`;
  await anAlphaConnection(db, { tenantId: await aTenant(db), merchantId });
  id = required((await storedEvents(db, merchantId, [Buffer.from('{}')]))[0]);
});

const row = () => eventRows(db).where({ id }).first();
const anAttempt = (run: string = randomUUID()): leases.Lease => ({ run, holder: randomUUID() });
const expire = () =>
  db('pending_events')
    .where({ id })
    .update({ leasedUntil: new Date(Date.now() - 1) });
const close = () => closeEvents(db, [id]);

describe('a lease', () => {
  it('ends within a minute, so that a killed holder keeps nothing for longer', () => {
    expect(leases.LEASE_SECONDS).toBeLessThan(60);
  });

  it('of nobody in particular is claimed by whoever continues with the event', async () => {
    await leases.handOver(db, [id]);
    const { leasedUntil } = await row();
    expect(leasedUntil.getTime()).toBeGreaterThan(Date.now() + 30_000);
    expect(await leases.claim(db, [id], anAttempt())).toEqual([id]);
  });

  it('of another run is not claimed or handed over until it has ended', async () => {
    const first = anAttempt();
    await leases.claim(db, [id], first);
    expect(await leases.claim(db, [id], anAttempt())).toEqual([]);
    await leases.handOver(db, [id]);
    expect(await leases.renew(db, [id], first)).toEqual([id]);
    await expire();
    expect(await leases.claim(db, [id], anAttempt())).toEqual([id]);
    expect(await leases.renew(db, [id], first)).toEqual([]);
  });

  it('goes to the next attempt of the same run, and the earlier one loses it', async () => {
    const first = anAttempt();
    const second = anAttempt(first.run);
    await leases.claim(db, [id], first);
    expect(await leases.claim(db, [id], second)).toEqual([id]);
    expect(await leases.renew(db, [id], first)).toEqual([]);
    await leases.release(db, [id], first);
    expect(await leases.renew(db, [id], second)).toEqual([id]);
  });

  it('that was released is free at once', async () => {
    const first = anAttempt();
    await leases.claim(db, [id], first);
    await leases.release(db, [id], first);
    expect(await leases.claim(db, [id], anAttempt())).toEqual([id]);
  });

  it('is of open events only', async () => {
    await close();
    await leases.handOver(db, [id]);
    expect(await leases.claim(db, [id], anAttempt())).toEqual([]);
    expect((await row()).leasedUntil).toBeNull();
  });
});
