import { ApplicationFailure } from '@temporalio/common';
import {
  ActivityFailure,
  proxyActivities,
  setCurrentDetails,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities, VerificationPosition, VerificationSlice } from '../activities/index.ts';
import {
  addVerified,
  describeVerified,
  describeViolation,
  type LedgerReport,
  NOTHING_VERIFIED,
} from '../domain/ledger-report.ts';
import { continueWithCurrentRelease } from './continue-as-new.ts';

const { verifyLedgerSlice } = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  // Without a limit: an outage may be long, and a step may run any number of times.
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes' },
});
const { concludeVerification } = proxyActivities<Activities>({
  startToCloseTimeout: '30 seconds',
  retry: { nonRetryableErrorTypes: ['LedgerNotWhole'] },
});

export type VerificationProgress = { place: VerificationPosition | null; report: LedgerReport };

/** How many problems the report names; `npm run verify` prints more. */
const MAX_FIRST = 10;
/** Keeps the history of a run short; the next run continues where it stopped. */
const MAX_SLICES_PER_RUN = 500;

/**
 * Verifies what moved in the ledger since the last run, the next part of everything, and again what
 * was found wrong, step by step, while the service works. Fails, naming the wallets, when they do
 * not add up. Its Schedule runs it daily, and never twice at the same time.
 */
export async function verifyLedger(progress?: VerificationProgress): Promise<LedgerReport> {
  let report = progress?.report ?? { ...NOTHING_VERIFIED, violations: 0, first: [] };
  let place = progress?.place ?? null;
  for (let slices = 0; slices < MAX_SLICES_PER_RUN; slices++) {
    const slice: VerificationSlice = await verifyLedgerSlice(place);
    report = withSlice(report, slice);
    setCurrentDetails(describeReport(report));
    if (slice.next === null) return conclude(report);
    place = slice.next;
    if (workflowInfo().continueAsNewSuggested) break;
  }
  return continueWithCurrentRelease<typeof verifyLedger>({ place, report });
}

function withSlice(report: LedgerReport, slice: VerificationSlice): LedgerReport {
  const found = slice.violations.map(describeViolation);
  return {
    ...addVerified(report, slice),
    violations: report.violations + found.length,
    first: [...report.first, ...found].slice(0, MAX_FIRST),
  };
}

async function conclude(report: LedgerReport): Promise<LedgerReport> {
  upsertMemo({ summary: describeReport(report) });
  try {
    await concludeVerification(report);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    // The run shows the problems that were found rather than that an activity failed.
    const message = error.cause?.message ?? error.message;
    throw ApplicationFailure.create({ message, type: 'LedgerNotWhole', nonRetryable: true });
  }
  return report;
}

function describeReport(report: LedgerReport): string {
  const { violations } = report;
  const result = violations === 0 ? 'All add up.' : `${violations} problems.`;
  return `${describeVerified(report)} ${result}`;
}
