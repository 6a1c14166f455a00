import { announce } from '../../../db/changes/announce.ts';
import type { Db } from '../../../db/connection.ts';
import { isLockTimeout } from '../../../db/errors.ts';
import { HELD } from '../../../db/events/webhook-events.ts';
import { limitLockWaits } from '../../../db/lock-waits.ts';
import {
  addCounts,
  countsOf,
  type IngestCounts,
  NO_COUNTS,
} from '../../../domain/ingest-counts.ts';
import { POLLED_PROVIDERS, settled } from '../../../domain/payment.ts';
import type { Metrics } from '../../../gateways/telemetry/metrics.ts';
import { isolate, throwIfUnwell } from '../../isolate.ts';
import { safeErrorText } from '../../safe-error-text.ts';
import { reviseAll } from '../revise/revise-payment.ts';
import { decideAndStore } from './decide-and-store.ts';
import { recordFailedPayments } from './failed-payments.ts';
import type { IngestPolicy } from './ingest-policy.ts';
import { changedBy, ingestedPayment, type PaymentReport } from './payment-report.ts';

type Recorder = Pick<Metrics, 'paymentsIngested' | 'ingestFailed'>;

/** Larger batches gain nothing and hold their locks for longer. */
const BATCH = 100;

type Ingested = { counts: IngestCounts; failed: FailedReport[] };
type FailedReport = { report: PaymentReport; error: string; isHeld?: boolean };

/**
 * Ingests payments that a provider listed in full: credits new ones, matches known ones late or
 * fits their points to their refunds, ignores unsettled ones. A payment that fails fails alone: it
 * is counted, and stored as an event that the sweep tries again; so is one whose wallet somebody
 * holds, without an attempt. Throws only for trouble with the database. May run any number of
 * times, also at once.
 */
export async function ingestListedPayments(
  db: Db,
  listed: readonly Omit<PaymentReport, 'isResolved'>[],
  policy: IngestPolicy,
  metrics?: Recorder,
): Promise<IngestCounts> {
  const reports: PaymentReport[] = listed.flatMap((item) => {
    const payment = settled(item.payment, policy.refunds);
    return payment === null ? [] : [{ ...item, payment, isResolved: true }];
  });
  let counts: IngestCounts = { ...NO_COUNTS, ignored: listed.length - reports.length };
  for (let start = 0; start < reports.length; start += BATCH) {
    const results = await isolate(
      reports.slice(start, start + BATCH),
      (batch, leavesHeld) => ingestReports({ db, policy, metrics }, batch, leavesHeld),
      async (report, error): Promise<Ingested> => {
        await throwIfUnwell(db, error);
        const failed = isLockTimeout(error)
          ? { report, error: HELD, isHeld: true }
          : { report, error: safeErrorText(error) };
        return { counts: NO_COUNTS, failed: [failed] };
      },
    );
    const failed = results.flatMap((result) => result.failed);
    counts = results.reduce((sum, result) => addCounts(sum, result.counts), counts);
    counts = { ...counts, failed: counts.failed + failed.length };
    metrics?.ingestFailed('poll', failed.filter(({ isHeld }) => isHeld !== true).length);
    await recordFailed(db, failed);
  }
  return counts;
}

type Means = { db: Db; policy: IngestPolicy; metrics: Recorder | undefined };

async function ingestReports(
  { db, policy, metrics }: Means,
  reports: readonly PaymentReport[],
  leavesHeld: boolean,
): Promise<Ingested> {
  const outcomes = await db.transaction(async (tx) => {
    await limitLockWaits(tx);
    return decideAndStore(tx, reports, policy, { reported: [], ignored: [], leavesHeld });
  });
  announce(db, changedBy(outcomes.values()));
  const final = [...(await reviseAll(db, [{ reports }], outcomes, policy))];
  const decided = final.flatMap(([report, outcome]) =>
    outcome.kind === 'decided' ? [ingestedPayment(report, outcome)] : [],
  );
  metrics?.paymentsIngested('poll', decided);
  const failed = final.flatMap(([report, outcome]): FailedReport[] => {
    if (outcome.kind === 'held') return [{ report, error: HELD, isHeld: true }];
    return outcome.kind === 'failed' ? [{ report, error: outcome.error }] : [];
  });
  return { counts: countsOf(decided), failed };
}

async function recordFailed(db: Db, failed: readonly FailedReport[]): Promise<void> {
  const reporting = ({ reportedBy, tenantId }: PaymentReport) => reportedBy ?? tenantId;
  for (const tenantId of new Set(failed.map(({ report }) => reporting(report)))) {
    for (const provider of POLLED_PROVIDERS) {
      const its = failed.flatMap(({ report, error, isHeld }) => {
        if (reporting(report) !== tenantId || report.payment.provider !== provider) return [];
        const { providerPaymentId, changedAt } = report.payment;
        return [{ providerPaymentId, changedAt, error, isHeld }];
      });
      await recordFailedPayments(db, { tenantId, provider }, its);
    }
  }
}
