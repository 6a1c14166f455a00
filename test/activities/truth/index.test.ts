import { beforeEach, describe, expect, it } from 'vitest';
import { createActivities } from '../../../activities/index.ts';
import { connect } from '../../../db/connection.ts';
import * as truthDays from '../../../db/connections/truth-days.ts';
import type { ConnectionId } from '../../../domain/ids.ts';
import { dayBefore, dayTextOf } from '../../../domain/intervals.ts';
import { PATIENCE_DAYS } from '../../../domain/truth.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { useSilentShop } from '../../support/providers/silent-shop.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;
const silent = useSilentShop(db);
const activities = createActivities(activityDeps(db));
const today = dayTextOf(new Date(), 'UTC');
const NOTHING = {
  missing: 0,
  changed: 0,
  unknown: 0,
  repaired: 0,
  provider: { count: 0, amountMinorUnits: 0, refundedMinorUnits: 0 },
  ours: { count: 0, amountMinorUnits: 0, refundedMinorUnits: 0 },
};

beforeEach(async () => {
  await db('truthDays').delete();
  await db('posConnections')
    .whereNot({ tenantId: silent.shop.tenantId })
    .update({ status: 'disconnected' });
});

const of = (provider: 'alpha' | 'beta', day: string) => ({
  connectionId: silent.shop.connectionIds[provider],
  tenantId: silent.shop.tenantId,
  day,
});
const dueOf = async (provider: 'alpha' | 'beta') => {
  const { due } = await activities.listDueDays(null);
  return due.filter(({ connectionId }) => connectionId === silent.shop.connectionIds[provider]);
};

describe('listDueDays', () => {
  it('names the days of a week that were not compared, and gives up the one before', async () => {
    const before = dayBefore(today, 3);
    await truthDays.saveDay(db, of('beta', before), { ...NOTHING, status: 'agrees' });
    const due = await dueOf('beta');
    expect(due).toContainEqual(of('beta', dayBefore(today, 2)));
    expect(due).not.toContainEqual(of('beta', before));
    const lost = dayBefore(today, PATIENCE_DAYS + 1);
    const range = { from: lost, to: lost };
    expect(await truthDays.listDays(db, silent.shop.connectionIds.beta, range)).toMatchObject([
      { day: lost, status: 'unavailable', missing: 0 },
    ]);
    // A day that could be compared after all stays so.
    await truthDays.saveDay(db, of('beta', lost), { ...NOTHING, status: 'agrees' });
    await truthDays.giveUp(db, [{ ...of('beta', lost), endsAt: new Date(`${lost}T24:00:00Z`) }]);
    expect(await truthDays.listDays(db, silent.shop.connectionIds.beta, range)).toMatchObject([
      { status: 'agrees' },
    ]);
  });

  it('gives up a day as well that was compared at noon of it only', async () => {
    const lost = dayBefore(today, PATIENCE_DAYS + 1);
    await truthDays.saveDay(db, of('beta', lost), { ...NOTHING, status: 'agrees' });
    await db('truthDays').update({ checkedAt: `${lost}T12:00:00Z` });
    await dueOf('beta');
    const { beta } = silent.shop.connectionIds;
    expect(await truthDays.listDays(db, beta, { from: lost, to: lost })).toMatchObject([
      { status: 'unavailable' },
    ]);
  });

  it('names no more at once than a run may start, though each account has a week', async () => {
    const { rows } = await db.raw<{ rows: { id: string }[] }>(
      `with shops as (
         insert into tenants (name) select 'Shop ' || nth from generate_series(1, 160) nth
         returning id
       )
       insert into pos_connections (tenant_id, provider, merchant_id, status, sealed_access_token)
       select id, 'beta', 'M-' || id, 'active', 'sealed' from shops
       returning id`,
    );
    await db('account_tenures').update({ earnsFrom: new Date(0) });
    const named = [];
    let after: ConnectionId | null = null;
    do {
      const page: Awaited<ReturnType<typeof activities.listDueDays>> =
        await activities.listDueDays(after);
      expect(page.due.length).toBeLessThanOrEqual(1_000);
      named.push(...page.due);
      after = page.next;
    } while (after !== null);
    const ofNew = named.filter(({ connectionId }) => rows.some(({ id }) => id === connectionId));
    expect(ofNew.length).toBeGreaterThan(160 * (PATIENCE_DAYS - 2));
  });

  it.each([
    ['was brought in at noon of it', 'Europe/Berlin', 'T12:00:00Z'],
    ['a zone further west ended later', 'America/Los_Angeles', 'T23:59:59Z'],
  ])('names a day again that %s', async (_, timeZone, time) => {
    const day = dayBefore(today, 3);
    await truthDays.saveDay(db, of('beta', day), { ...NOTHING, status: 'agrees' });
    await db('truthDays').update({ checkedAt: `${day}${time}` });
    await db('tenants').where({ id: silent.shop.tenantId }).update({ timeZone });
    expect(await dueOf('beta')).toContainEqual(of('beta', day));
  });

  it.each([
    ['must be connected again', { needsReconnectSince: new Date() }],
    ['is away', { askAgainAt: new Date(Date.now() + 60_000) }],
  ])('names none of an account that %s', async (_, state) => {
    const id = silent.shop.connectionIds.alpha;
    await db('pos_connections').where({ id }).update(state);
    expect(await dueOf('alpha')).toEqual([]);
    expect((await dueOf('beta')).length).toBeGreaterThan(PATIENCE_DAYS - 2);
  });

  it('names none of a shop that is suspended, or whose account was left', async () => {
    const { tenantId, connectionIds } = silent.shop;
    await db('pos_connections')
      .where({ id: connectionIds.alpha })
      .update({ status: 'disconnected' });
    expect(await dueOf('alpha')).toEqual([]);
    await db('tenants').where({ id: tenantId }).update({ suspendedAt: db.fn.now() });
    expect(await activities.listDueDays(null)).toEqual({ due: [], next: null });
  });

  it('names none where programmes are not applied, and asks about none', async () => {
    const place = { url: database.url, installation: 'test', hasProgrammes: false } as const;
    const off = connect(place, 1, 'off');
    const its = createActivities(activityDeps(off));
    expect(await its.listDueDays(null)).toEqual({ due: [], next: null });
    expect(await its.checkGaps()).toEqual({ asked: 0, gaps: 0 });
    await off.destroy();
  });
});

it('keeps days for 400 days', async () => {
  for (const ago of [400, 401]) {
    await truthDays.saveDay(db, of('beta', dayBefore(today, ago)), {
      ...NOTHING,
      status: 'agrees',
    });
  }
  expect(await activities.deleteOldTruthDays()).toBe(1);
  const range = { from: dayBefore(today, 500), to: today };
  const kept = await truthDays.listDays(db, silent.shop.connectionIds.beta, range);
  expect(kept.map(({ day }) => day)).toEqual([dayBefore(today, 400)]);
});
