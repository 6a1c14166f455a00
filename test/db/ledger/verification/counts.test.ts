import { beforeEach, describe, expect, it } from 'vitest';
import * as counts from '../../../../db/connections/counts.ts';
import { verifyConnectionCounts, verifyCounts } from '../../../../db/ledger/verification/counts.ts';
import { verifyPhases } from '../../../../db/ledger/verification/run.ts';
import { NO_ID, verifyLedger } from '../../../../db/ledger/verification/whole.ts';
import * as statistics from '../../../../db/tenants/statistics.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { anAlphaConnection, aTenant, aWallet } from '../../../support/factories.ts';
import { useUnverifiedDatabase } from '../../../support/fixtures.ts';

const { db } = await useUnverifiedDatabase();
const SETTLED = { few: 1, step: 2, steps: 100, behindMinutes: 0 };

let tenantId: TenantId;
beforeEach(async () => {
  await db('tenant_counts').delete();
  await db('ledger_problems').delete();
  tenantId = await aTenantWith(5);
});

/** A tenant with wallets, all of which are settled. */
async function aTenantWith(wallets: number): Promise<TenantId> {
  const id = await aTenant(db);
  for (let nth = 0; nth < wallets; nth++) await aWallet(db, { tenantId: id });
  await statistics.countOf(db, 'wallets', [id], SETTLED);
  return id;
}

const add = (number: number, of = tenantId) =>
  db('tenant_counts').where({ tenantId: of }).increment('number', number);
const all = { after: NO_ID, until: 'ffffffff-ffff-ffff-ffff-ffffffffffff', limit: 1_000 };

describe('the kept counts of tenants', () => {
  it.each([1, 2, 5, 100])('are right, also in pieces of %i rows', async (piece) => {
    expect(await verifyCounts(db, all, piece)).toMatchObject({ violations: [], rows: 6 });
  });

  it.each([
    { by: 1, piece: 100, found: 'there are 5' },
    { by: -1, piece: 100, found: 'there are at least 5' },
    { by: 1, piece: 2, found: 'there are 5' },
    { by: -2, piece: 2, found: 'there are at least 4' },
  ])('are found wrong by $by, in pieces of $piece, with what to do', async (wrong) => {
    await add(wrong.by);
    const { violations, rowIds } = await verifyCounts(db, all, wrong.piece);
    expect(rowIds).toEqual([tenantId]);
    expect(violations).toMatchObject([{ walletId: null, tenantId }]);
    expect(violations[0]?.problem).toContain(wrong.found);
    expect(violations[0]?.problem).toMatch(`run npm run ops -- recount ${tenantId}`);
  });

  it('stay right while wallets are added and the count moves on', async () => {
    const adding = (async () => {
      for (let nth = 0; nth < 20; nth++) {
        await aWallet(db, { tenantId });
        await statistics.countOf(db, 'wallets', [tenantId], SETTLED);
      }
    })();
    for (let nth = 0; nth < 10; nth++) {
      expect((await verifyCounts(db, all, 3)).violations).toEqual([]);
    }
    await adding;
  });

  it('are compared a few tenants at a time', async () => {
    const others = [await aTenantWith(3), await aTenantWith(3)];
    const ids = [tenantId, ...others].sort();
    const first = await verifyCounts(db, { ...all, limit: 1 });
    expect(first.last).toBe(ids[0]);
    const rest = await verifyCounts(db, { ...all, after: ids[0] ?? NO_ID });
    expect(rest.last).toBe(ids[2]);
    expect(await verifyCounts(db, { ...all, after: ids[2] ?? NO_ID })).toMatchObject({
      rows: 0,
      last: null,
    });
  });

  it('are found wrong by each run and by the whole, until they are counted again', async () => {
    await add(3);
    const run = () => verifyPhases(db, { phases: ['part', 'problems'] });
    for (const { violations } of [await run(), await run(), await verifyLedger(db)]) {
      expect(violations).toMatchObject([{ tenantId }]);
    }
    const again = () => verifyPhases(db, { phases: ['problems'] });
    expect((await again()).violations).toMatchObject([{ tenantId }]);
    await statistics.forget(db, tenantId);
    expect(await statistics.countOne(db, 'wallets', tenantId)).toBe(5);
    expect((await again()).violations).toEqual([]);
    expect(await db('ledger_problems')).toEqual([]);
  });
});

describe('the kept counts of connections', () => {
  it('are found wrong, in each run and by the whole, until they are counted again', async () => {
    await anAlphaConnection(db, { tenantId, merchantId: 'M-1' });
    await counts.countByProvider(db);
    expect(await verifyConnectionCounts(db)).toEqual([]);
    await db('connection_counts').where({ provider: 'alpha', slot: 0 }).increment('active', 2);
    const problem = expect.stringMatching(/3 connections of alpha.* 1 and 0: run npm run ops/);
    const run = await verifyPhases(db, { phases: ['problems'] });
    for (const { violations } of [run, await verifyLedger(db)]) {
      expect(violations).toMatchObject([{ tenantId: null, problem }]);
    }
    await counts.forget(db);
    expect(await verifyConnectionCounts(db)).toEqual([]);
    expect((await counts.countByProvider(db)).alpha.active).toBe(1);
    expect(await verifyConnectionCounts(db)).toEqual([]);
  });
});
