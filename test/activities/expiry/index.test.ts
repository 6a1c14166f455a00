import { describe, expect, it, vi } from 'vitest';
import { createActivities } from '../../../activities/index.ts';
import { connect } from '../../../db/connection.ts';
import { begin, finish } from '../../../db/tenants/expiry-progress.ts';
import { monthOf, monthText, startOfMonth } from '../../../domain/intervals.ts';
import { aProgramme, aRule, aTenant, aWallet } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { balanceOf } from '../../support/points/redemptions.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;
const activities = createActivities(activityDeps(db));
const now = monthOf(new Date(), 'UTC');
const text = (ago: number) => monthText(now - ago);
const since = (ago: number) => startOfMonth(now - ago, 'UTC');

describe('listDueMonths', () => {
  it('names the oldest month that is left of each shop with a programme', async () => {
    const [one, two] = [await aTenant(db), await aTenant(db)];
    await aTenant(db);
    await aProgramme(db, one, { validityMonths: 12, publishedAt: since(3) });
    await aProgramme(db, two, { publishedAt: since(1) });
    const first = await activities.listDueMonths(null);
    expect(first.take).toEqual([
      { tenantId: one, month: text(3) },
      { tenantId: two, month: text(1) },
    ]);
    expect(first.next).toBeNull();
    expect(await activities.listDueMonths(two)).toEqual({ take: [], tell: [], next: null });
    await begin(db, { tenantId: one, month: now - 3 }, null);
    expect((await activities.listDueMonths(null)).take[0]?.month).toBe(text(3));
    await db.transaction((tx) => finish(tx, { tenantId: one, month: now - 3 }, null));
    expect((await activities.listDueMonths(null)).take[0]?.month).toBe(text(2));
  });

  it('asks for so few shops that their runs may all be open, beside those of a page', async () => {
    const asked = vi.spyOn(db, 'raw');
    await activities.listDueMonths(null);
    const limits = asked.mock.calls.flatMap(([, of]) => Object(of).limit ?? []);
    asked.mockRestore();
    expect(limits).toHaveLength(1);
    expect(999 + 4 * limits[0]).toBeLessThan(2_000);
  });

  it('names none where programmes are not applied', async () => {
    const off = connect(
      { url: database.url, installation: 'test', hasProgrammes: false },
      1,
      'off',
    );
    const its = createActivities(activityDeps(off));
    expect(await its.listDueMonths(null)).toEqual({ take: [], tell: [], next: null });
    await off.destroy();
  });
});

describe('expirePoints', () => {
  it('goes on with the months after it that have ended', async () => {
    const tenantId = await aTenant(db);
    await aRule(db, tenantId);
    await aProgramme(db, tenantId, { validityMonths: 1, publishedAt: since(3) });
    const walletId = await aWallet(db, { tenantId, balance: 50 });
    const taken = await activities.expirePoints({ tenantId, month: text(3) });
    expect(taken).toHaveLength(3);
    // What is earned this month is due by the end of the next one.
    expect(await balanceOf(db, walletId)).toBe(50);
    const { take } = await activities.listDueMonths(null);
    expect(take.filter((each) => each.tenantId === tenantId)).toEqual([]);
  });

  it('refuses what is no month', async () => {
    const tenantId = await aTenant(db);
    await expect(activities.expirePoints({ tenantId, month: '2026-13' })).rejects.toThrow(
      '2026-13',
    );
  });
});
