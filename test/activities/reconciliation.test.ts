import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import { createReconciliationActivities } from '../../activities/reconciliation.ts';
import * as lifecycle from '../../db/redemptions/lifecycle.ts';
import { readServiceMetrics } from '../../db/service-metrics.ts';
import { createMetrics } from '../../gateways/telemetry/metrics.ts';
import {
  aCredit,
  aDebit,
  aTenant,
  aUser,
  postByHand,
  required,
  storedEvents,
} from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { aRedemption, balanceOf, expiresIn, redemptionRow } from '../support/points/redemptions.ts';
import { eventRows } from '../support/providers/events.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;

const metrics = createMetrics('worker');
const activities = () => createReconciliationActivities({ db, expiredCodes: 'refund', metrics });

it('lists so few at a time that a tick starts fewer runs than may be open', async () => {
  const { listDueDeliveries, listOverdueInvites, listOverdueRehearsals } = createActivities(
    activityDeps(db),
  );
  const asked = vi.spyOn(db, 'raw');
  await listDueDeliveries(null);
  await listOverdueInvites(null);
  await listOverdueRehearsals(null);
  const limits = asked.mock.calls.map(([, of]) => Object(of).limit);
  asked.mockRestore();
  expect(limits).toHaveLength(3);
  // Ten pages of each, and as many runs that follow redemptions; the server allows 2,000.
  expect(10 * limits.reduce((sum, limit) => sum + limit, 1)).toBeLessThan(2_000);
});

describe('expireOverdueRedemptions', () => {
  it('expires overdue redemptions and returns their number, then finds none', async () => {
    const issued = [await aRedemption(db), await aRedemption(db)];
    await expiresIn(
      db,
      issued.map(({ id }) => id),
      -1,
    );
    expect(await activities().expireOverdueRedemptions()).toBe(2);
    expect(await activities().expireOverdueRedemptions()).toBe(0);
    for (const { walletId } of issued) expect(await balanceOf(db, walletId)).toBe(100);
  });

  it('expires the others when Postgres refuses one', async () => {
    const [stuck, other] = [await aRedemption(db), await aRedemption(db)];
    const fill = Number.MAX_SAFE_INTEGER - (await balanceOf(db, stuck.walletId));
    await db.transaction((tx) => postByHand(tx, [aCredit(stuck.walletId, fill)]));
    await expiresIn(db, [stuck.id, other.id], -1);

    expect(await activities().expireOverdueRedemptions()).toBe(1);
    expect(await redemptionRow(db, other.id)).toMatchObject({ status: 'expired' });
    expect(await redemptionRow(db, stuck.id)).toMatchObject({ status: 'issued' });
    expect(await balanceOf(db, other.walletId)).toBe(100);

    // The one that failed backs off, so that the next batch is one statement again.
    const third = await aRedemption(db);
    await expiresIn(db, [third.id], -1);
    expect(await lifecycle.expireOverdue(db, 'refund', 10)).toMatchObject([{ id: third.id }]);
    expect(await activities().expireOverdueRedemptions()).toBe(0);

    await db.transaction((tx) => postByHand(tx, [aDebit(stuck.walletId, 30)]));
    await db('redemptions').where({ id: stuck.id }).update({ nextExpiryAt: db.fn.now() });
    expect(await activities().expireOverdueRedemptions()).toBe(1);
  });
});

describe('listUnfollowedRedemptions', () => {
  it('lists redemptions without a run, page by page', async () => {
    const issued = [await aRedemption(db), await aRedemption(db)];
    await expiresIn(
      db,
      issued.map(({ id }) => id),
      600,
    );
    const known = issued.map(({ id }) => id).sort();
    const listed = await activities().listUnfollowedRedemptions(null);
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(known));
    const last = listed.at(-1)?.id ?? null;
    expect(await activities().listUnfollowedRedemptions(last)).toEqual([]);
  });
});

describe('deleteExpiredResponses', () => {
  it('deletes only answers older than 24 hours', async () => {
    const userId = await aUser(db);
    const answer = {
      userId,
      method: 'POST',
      path: '/x',
      requestHmac: Buffer.alloc(32),
      status: 200,
    };
    const ages = { young: '23 hours', old: '25 hours' };
    for (const [key, age] of Object.entries(ages)) {
      const createdAt = db.raw('now() - ?::interval', [age]);
      await db('idempotency_keys').insert({
        ...answer,
        key,
        body: '{}',
        bodySealed: false,
        createdAt,
      });
    }
    expect(await activities().deleteExpiredResponses()).toBe(1);
    expect(await activities().deleteExpiredResponses()).toBe(0);
    expect(await db('idempotency_keys').pluck('key')).toEqual(['young']);
  });
});

describe('deleteOldBodies', () => {
  it('deletes what is older than 90 days, and makes the coming months', async () => {
    const ids = await storedEvents(db, `M-${randomUUID()}`, [Buffer.from('{}'), Buffer.from('{}')]);
    const age = (index: number, days: number) =>
      db('stalled_events')
        .where('id', required(ids[index]))
        .update({ receivedAt: db.raw('now() - make_interval(days => ?)', [days]) });
    await age(0, 91);
    await age(1, 89);
    const { rows } = await database.owner.raw<{ rows: { last: string }[] }>(
      `select max(inhrelid::regclass::text) as last from pg_inherits
       where inhparent = 'webhook_bodies'::regclass and inhrelid::regclass::text ~ '\\d$'`,
    );
    await database.owner.raw(`drop table ${rows[0]?.last}`);
    expect(await activities().deleteOldBodies()).toBe(1);
    expect(await activities().deleteOldBodies()).toBe(0);
    expect(await eventRows(db).whereIn('id', ids).pluck('id')).toEqual(ids.slice(1));
    expect((await readServiceMetrics(db)).eventMonthsAhead).toBe(2);
  });
});

describe('deleteInviteMailRecords', () => {
  it('deletes records older than a day, unless the mail of their invite is still due', async () => {
    const tenantId = await aTenant(db);
    const add = async (email: string, hours: number, sentAt: Date | null) => {
      const invite = { id: randomUUID(), tenantId, email, invitedBy: await aUser(db), sentAt };
      await db('invites').insert({ ...invite, status: 'pending', emailStatus: 'sent' });
      const triedAt = db.raw(`now() - make_interval(hours => ?)`, [hours]);
      await db('invite_mails').insert({ tenantId, email, inviteId: invite.id, triedAt });
    };
    await add('sent-lately@example.com', 23, new Date());
    await add('sent@example.com', 25, new Date());
    await add('due@example.com', 25, null);
    expect(await activities().deleteInviteMailRecords()).toBe(1);
    expect(await activities().deleteInviteMailRecords()).toBe(0);
    const left = await db('invite_mails').orderBy('email').pluck('email');
    expect(left).toEqual(['due@example.com', 'sent-lately@example.com']);
  });
});

describe('deleteRateLimitCounts', () => {
  it('deletes counts whose window has ended, on every page', async () => {
    const rows = (name: string, expire: number) =>
      db.raw(
        `insert into rate_limits (key, points, expire)
         select :name || n || repeat('x', 200), 1, :expire from generate_series(1, 40000) n`,
        { name, expire },
      );
    await rows('over', Date.now() - 1_000);
    await rows('open', Date.now() + 60_000);
    expect(await activities().deleteRateLimitCounts()).toBe(40_000);
    expect(await activities().deleteRateLimitCounts()).toBe(0);
    expect(await db('rate_limits').count()).toEqual([{ count: 40_000 }]);
  });
});
