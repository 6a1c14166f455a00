import { beforeEach, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../../db/ledger/verification/whole.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { aCountedMonth, aProgramme, aTenant } from '../../../support/factories.ts';
import { useUnverifiedDatabase } from '../../../support/fixtures.ts';

const { db } = await useUnverifiedDatabase();

let tenantId: TenantId;
beforeEach(async () => {
  tenantId = await aTenant(db);
  await aProgramme(db, tenantId);
  await aCountedMonth(db, tenantId);
});

const found = async () =>
  (await verifyLedger(db)).violations.flatMap((each) =>
    each.tenantId === tenantId ? each.problem : [],
  );
const march = () => db('liability_months').where({ tenantId, month: '2026-03-01' });
/** A run of April that counts what was earned in March once more. */
async function april(earned: number, times: { readAt?: string; finishedAt?: string | null } = {}) {
  const run = { tenantId, month: '2026-04-01' };
  const at = '2026-05-01T00:07:00Z';
  await db('expiry_runs').insert({ ...run, begunAt: at, readAt: at, finishedAt: at, ...times });
  const sums = { earned, reversed: 0, used: earned, expired: 0, unused: 0 };
  await db('liability_months').insert({ ...run, earnedIn: '2026-03-01', ...sums });
}

describe('what is owed after a month', () => {
  it('is found wrong where more expired than was taken', async () => {
    expect(await found()).toEqual([]);
    await march().update({ used: 0, expired: 10 });
    const problem = '10 expired points are counted at the end of 2026-03, and 0 were taken';
    expect(await found()).toEqual([problem]);
  });

  it('is found wrong where a later count finds more of a month that was over', async () => {
    await april(50);
    expect(await found()).toEqual([]);
    await db('liability_months')
      .where({ tenantId, month: '2026-04-01' })
      .update({ used: 49, earned: 49 });
    expect(await found()).toEqual([]);
    await db('liability_months')
      .where({ tenantId, month: '2026-04-01' })
      .update({ used: 51, earned: 51 });
    const problem = '51 points earned in 2026-03 are counted at the end of 2026-04, and 50 before';
    expect(await found()).toEqual([problem]);
  });

  it('is not compared while a run goes on, and by when it was counted', async () => {
    await april(51, { finishedAt: null });
    expect(await found()).toEqual([]);
    await db('expiry_runs')
      .where({ tenantId, month: '2026-04-01' })
      .update({ finishedAt: '2026-05-01T00:07:00Z', begunAt: '2026-03-31T00:00:00Z' });
    expect(await found()).toEqual([]);
    // March was counted again by the command, later than April.
    await db('expiry_runs')
      .where({ tenantId, month: '2026-04-01' })
      .update({ begunAt: '2026-05-01T00:07:00Z', readAt: '2026-03-31T00:07:00Z' });
    expect(await found()).toEqual([]);
  });
});
