import { describe, expect, it } from 'vitest';
import {
  createVerificationActivities,
  type VerificationPosition,
  type VerificationSlice,
} from '../../activities/ledger-verification.ts';
import type { LedgerReport } from '../../domain/ledger-report.ts';
import { type ObjectStore, ObjectStoreUnavailable } from '../../gateways/objects/store.ts';
import { aWallet, required } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { createMemoryStore, signAll } from '../support/points/statements.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';

const database = await useDatabase();

const counts = { wallets: 3, entries: 4, payments: 2, redemptions: 1 };

describe('verifyLedgerSlice', () => {
  it('returns the same result each time it runs, and the next step', async () => {
    await aWallet(database.db, { balance: 3 });
    const { verifyLedgerSlice } = createVerificationActivities(activityDeps(database.db));
    const first = await verifyLedgerSlice(null);
    expect(first).toMatchObject({ wallets: 1, entries: 1, violations: [] });
    const second = await verifyLedgerSlice(first.next);
    expect(await verifyLedgerSlice(first.next)).toEqual(second);
    expect(second).toMatchObject({ next: { run: { steps: expect.any(Array) } } });
  });
});

describe('the statements of a run', () => {
  const { db } = database;
  const objects = createMemoryStore();
  const verify = async (store: ObjectStore = objects) => {
    const deps = activityDeps(db, { objects: store });
    const { verifyLedgerSlice } = createVerificationActivities(deps);
    const problems: string[] = [];
    let steps = 0;
    let place: VerificationPosition | null = null;
    do {
      const slice: VerificationSlice = await verifyLedgerSlice(place);
      problems.push(...slice.violations.map(({ problem }) => problem));
      if (place !== null && 'statements' in place) steps += 1;
      place = slice.next;
    } while (place !== null);
    return { problems, steps };
  };
  const verifiedUntil = async () => (await db('statement_progress').first()).verifiedId;

  it('are verified after the ledger, some in each step, and the next day again', async () => {
    for (let nth = 0; nth < 25; nth++) await aWallet(db, { balance: 1 });
    await signAll(db, objects, '2026-01-15');
    expect(await verify()).toEqual({ problems: [], steps: 2 });
    expect(await verify()).toEqual({ problems: [], steps: 2 });
    expect(await verifiedUntil()).toBeNull();
  });

  it('are found wrong by each run until they are right', async () => {
    const [name, bytes] = required([...objects.objects][22]);
    objects.objects.set(name, Buffer.from('{}'));
    const found = [expect.stringContaining('is not in the object store')];
    expect(await verify()).toEqual({ problems: found, steps: 2 });
    expect(await verifiedUntil()).not.toBeNull();
    expect(await verify()).toMatchObject({ problems: found });
    objects.objects.set(name, bytes);
    expect(await verify()).toMatchObject({ problems: [] });
    expect(await verifiedUntil()).toBeNull();
  });

  it('are left to the next run while the object store is away', async () => {
    const get = () => Promise.reject(new ObjectStoreUnavailable('It is away.'));
    expect(await verify({ ...objects, get })).toEqual({ problems: [], steps: 1 });
  });
});

describe('concludeVerification', () => {
  const reports: LedgerReport[] = [];
  const conclude = (report: LedgerReport) =>
    createVerificationActivities(
      activityDeps(database.db, { ledgerVerified: (each) => reports.push(each) }),
    ).concludeVerification(report);

  it('passes when there are no violations', async () => {
    const report = { ...counts, violations: 0, first: [] };
    await conclude(report);
    expect(reports).toContain(report);
  });

  it('fails with the wallets and the next step when there are violations', async () => {
    const report = { ...counts, violations: 2, first: ['wallet one: a', 'wallet two: b'] };
    await expect(conclude(report)).rejects.toMatchObject({
      name: 'LedgerNotWhole',
      message: expect.stringMatching(/2 problems. wallet one: a; wallet two: b\..*npm run verify/),
    });
    expect(reports).toContain(report);
  });
});
