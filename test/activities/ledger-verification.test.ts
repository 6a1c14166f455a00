import { describe, expect, it } from 'vitest';
import { createVerificationActivities } from '../../activities/ledger-verification.ts';
import type { LedgerReport } from '../../domain/ledger-report.ts';
import { aWallet } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = await useDatabase();

const counts = { wallets: 3, entries: 4, payments: 2, redemptions: 1 };

describe('verifyLedgerSlice', () => {
  it('returns the same result each time it runs, and the next step', async () => {
    await aWallet(database.db, { balance: 3 });
    const { verifyLedgerSlice } = createVerificationActivities({ db: database.db });
    const first = await verifyLedgerSlice(null);
    expect(first).toMatchObject({ wallets: 1, entries: 1, violations: [] });
    const second = await verifyLedgerSlice(first.next);
    expect(await verifyLedgerSlice(first.next)).toEqual(second);
    expect(second).toMatchObject({ next: { run: { steps: expect.any(Array) } } });
  });

  it('continues what the release before has begun', async () => {
    const { verifyLedgerSlice } = createVerificationActivities({ db: database.db });
    const after = '00000000-0000-0000-0000-000000000000';
    expect(await verifyLedgerSlice({ part: 'wallets', after })).toMatchObject({
      wallets: 1,
      next: { part: 'payments', after },
    });
  });
});

describe('concludeLedgerAudit', () => {
  const reports: LedgerReport[] = [];
  const conclude = (report: LedgerReport) =>
    createVerificationActivities({
      db: database.db,
      ledgerVerified: (each) => reports.push(each),
    }).concludeLedgerAudit(report);

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
