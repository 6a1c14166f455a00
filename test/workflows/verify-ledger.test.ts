import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createVerificationActivities } from '../../activities/ledger-verification.ts';
import type { LedgerReport } from '../../domain/ledger-report.ts';
import { TASK_QUEUE } from '../../workflows/ids.ts';
import { verifyLedger } from '../../workflows/verify-ledger.ts';
import { aWallet } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { aRedemption } from '../support/points/redemptions.ts';
import { activityDeps } from '../support/temporal/activity-deps.ts';
import { expectDocumentedActions } from './actions.ts';

let verifications: LedgerReport[];
const database = await useDatabase();
const temporal = await useTemporal();
await aWallet(database.db, { balance: 7 });
await aRedemption(database.db);
beforeEach(() => {
  verifications = [];
});

const verified = (workflowId: string, ...args: Parameters<typeof verifyLedger>) => {
  const ledgerVerified = (report: LedgerReport) => void verifications.push(report);
  return temporal.withWorker(activityDeps(database.db, { ledgerVerified }), () =>
    temporal.client.workflow.execute(verifyLedger, { taskQueue: TASK_QUEUE, workflowId, args }),
  );
};

describe('verifyLedger', () => {
  const counts = { wallets: 2, entries: 3, payments: 0, redemptions: 1 };

  it('verifies the whole ledger and reports what it compared', async () => {
    const workflowId = `verify/${randomUUID()}`;
    const report = { ...counts, violations: 0, first: [] };
    expect(await verified(workflowId)).toEqual(report);
    expect(verifications).toEqual([report]);
    const { memo } = await temporal.client.workflow.getHandle(workflowId).describe();
    expect(memo).toEqual({ summary: expect.stringContaining('3 entries of 2 wallets') });
    const history = await temporal.history(workflowId, 'verify-ledger.whole');
    expectDocumentedActions('the verification of a day, with its Schedule', history);
  });

  it('continues where the previous run stopped', async () => {
    const { verifyLedgerSlice } = createVerificationActivities(activityDeps(database.db));
    const { next: place, violations, ...first } = await verifyLedgerSlice(null);
    expect(first.redemptions).toBe(0);
    const report = { ...first, violations: violations.length, first: [] };
    expect(await verified(`verify/${randomUUID()}`, { place, report })).toEqual({
      ...counts,
      violations: 0,
      first: [],
    });
  });

  it('fails and names the wallet that does not add up', async () => {
    await database.endVerification();
    const walletId = await aWallet(database.db, { balance: 5 });
    await database.owner('wallets').where({ id: walletId }).update({ balance: 6 });
    const workflowId = `verify/${randomUUID()}`;
    await expect(verified(workflowId)).rejects.toMatchObject({
      cause: {
        type: 'LedgerNotWhole',
        message: expect.stringMatching(new RegExp(`1 problems. wallet ${walletId} .*npm run`)),
      },
    });
    expect(verifications).toMatchObject([{ violations: 1 }]);
    await temporal.history(workflowId, 'verify-ledger.not-whole');
  });
});
