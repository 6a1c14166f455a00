import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTickActivities } from '../../activities/ticks.ts';
import * as availability from '../../db/connections/availability.ts';
import * as dueWork from '../../db/due-work.ts';
import * as lifecycle from '../../db/redemptions/lifecycle.ts';
import { ConnectionId, type TenantId } from '../../domain/ids.ts';
import {
  aConnectedShop,
  anAlphaConnection,
  anAlphaEvent,
  aTenant,
  storedEvents,
} from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { anInvite } from '../support/people/invites.ts';
import { allLookedAt } from '../support/points/notices.ts';
import { aRedemption, expiresIn } from '../support/points/redemptions.ts';

const database = await useDatabase();
const { db } = database;
const { listDueRepairs, beginSweep } = createTickActivities({ db });

/** Leaves nothing due of what other tests have made. */
beforeEach(async () => {
  await db('invites').update({ sentAt: db.fn.now() });
  await db('redemptions').update({ followedAt: db.fn.now(), expiryToldAt: db.fn.now() });
  await lifecycle.expireOverdue(db, 'refund', 100);
  await allLookedAt(db);
  await clear('due_work', 'pending_events', 'waiting_checks');
});

async function clear(...tables: string[]): Promise<void> {
  for (const table of tables) await db(table).delete();
}

async function aConnection(): Promise<{ id: ConnectionId; tenantId: TenantId }> {
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId: randomUUID() });
  const { id } = await db('pos_connections').where({ tenantId }).first('id');
  return { id: ConnectionId.parse(id), tenantId };
}

describe('listDueRepairs', () => {
  it('lists nothing when nothing is due', async () => {
    await aRedemption(db);
    await clear('due_work');
    await db('redemptions').update({ followedAt: db.fn.now() });
    expect(await listDueRepairs()).toEqual([]);
  });

  it('lists codes without a run, and overdue ones', async () => {
    const { id } = await aRedemption(db);
    await clear('due_work');
    await expiresIn(db, [id], 600);
    expect(await listDueRepairs()).toEqual(['start redemption runs']);
    await db('redemptions').where({ id }).update({ followedAt: db.fn.now() });
    await expiresIn(db, [id], -1);
    expect(await listDueRepairs()).toEqual(['expire overdue codes']);
  });

  it('lists invites whose mail is overdue', async () => {
    const { id } = await anInvite(db, { email: `${randomUUID()}@example.com` });
    await clear('due_work');
    expect(await listDueRepairs()).toEqual(['start invite mails']);
    await db('invites').where({ id }).update({ createdAt: db.fn.now() });
    expect(await listDueRepairs()).toEqual([]);
  });

  it('lists work that is due, and that nobody has taken', async () => {
    await aConnection();
    await db('due_work').whereNot({ kind: 'update_poll_schedule' }).delete();
    expect(await listDueRepairs()).toEqual(['do due work']);
    await dueWork.take(db, 'update_poll_schedule', 10);
    expect(await listDueRepairs()).toEqual([]);
  });

  it('lists what it cannot look at, and waits for nobody', async () => {
    const tx = await db.transaction();
    await tx.raw('lock table redemptions in access exclusive mode');
    const due = await listDueRepairs().finally(() => tx.rollback());
    expect(due).toEqual(['expire overdue codes', 'start redemption runs']);
  });
});

describe('beginSweep', () => {
  it('says that nothing is due', async () => {
    expect(await beginSweep()).toEqual({ events: false, probes: false });
  });

  it('says that an event is due, unless it is too young or leased', async () => {
    const { merchantId } = await aConnectedShop(db);
    await storedEvents(db, merchantId, [anAlphaEvent(merchantId)]);
    expect(await beginSweep()).toMatchObject({ events: false });
    await db('pending_events').update({ receivedAt: db.raw(`now() - interval '1 minute'`) });
    expect(await beginSweep()).toMatchObject({ events: true });
    await db('pending_events').update({ leasedUntil: db.raw(`now() + interval '1 minute'`) });
    expect(await beginSweep()).toMatchObject({ events: false });
  });

  it('makes due what waits for a connection that works again', async () => {
    const { merchantId } = await aConnectedShop(db);
    await storedEvents(db, merchantId, [anAlphaEvent(merchantId)]);
    await clear('waiting_checks');
    await db('pending_events').update({
      receivedAt: db.raw(`now() - interval '1 minute'`),
      nextAttemptAt: db.raw(`now() + interval '1 day'`),
      awaitsConnection: true,
    });
    expect(await beginSweep()).toMatchObject({ events: false });
    const [{ tenantId, provider }] = await db('pending_events');
    await db('waiting_checks').insert({ tenantId, provider });
    expect(await beginSweep()).toMatchObject({ events: true });
  });

  it('says that a provider is to be probed once its pause is over', async () => {
    const { id } = await aConnection();
    await availability.recordAway(db, id, {
      retryAfterMs: 0,
      error: 'alpha answered 503.',
      isProbe: false,
    });
    expect(await beginSweep()).toMatchObject({ probes: false });
    await db('pos_connections')
      .where({ id })
      .update({ askAgainAt: db.raw(`now() - interval '1 ms'`) });
    expect(await beginSweep()).toMatchObject({ probes: true });
  });
});
