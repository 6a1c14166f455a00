import { announce } from '../../../db/changes/announce.ts';
import type { Db } from '../../../db/connection.ts';
import {
  addCounts,
  countsOf,
  type IngestCounts,
  NO_COUNTS,
} from '../../../domain/ingest-counts.ts';
import { settled } from '../../../domain/ingestion.ts';
import { POLLED_PROVIDERS } from '../../../domain/payment.ts';
import type { Metrics } from '../../../gateways/telemetry/metrics.ts';
import { isolate } from '../../isolate.ts';
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
type FailedReport = { report: PaymentReport; error: string };

/**
 * Ingests payments that a provider listed in full: credits new ones, matches known ones late or
 * fits their points to their refunds, ignores unsettled ones. A payment that fails fails alone: it
 * is counted, and stored as an event that the sweep tries again. Throws only for trouble with the
 * database. May run any number of times, also at once.
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
      (batch) => ingestReports(db, batch, policy, metrics),
      async (report, error): Promise<Ingested> => {
        return { counts: NO_COUNTS, failed: [{ report, error: safeErrorText(error) }] };
      },
    );
    const failed = results.flatMap((result) => result.failed);
    counts = results.reduce((sum, result) => addCounts(sum, result.counts), counts);
    counts = { ...counts, failed: counts.failed + failed.length };
    metrics?.ingestFailed('poll', failed.length);
    await recordFailed(db, failed);
  }
  return counts;
}

async function ingestReports(
  db: Db,
  reports: readonly PaymentReport[],
  policy: IngestPolicy,
  metrics: Recorder | undefined,
): Promise<Ingested> {
  const outcomes = await db.transaction((tx) => decideAndStore(tx, reports, policy));
  announce(db, changedBy(outcomes.values()));
  const final = [...(await reviseAll(db, [{ reports }], outcomes, policy))];
  const decided = final.flatMap(([report, outcome]) =>
    outcome.kind === 'decided' ? [ingestedPayment(report, outcome)] : [],
  );
  metrics?.paymentsIngested('poll', decided);
  const failed = final.flatMap(([report, outcome]) =>
    outcome.kind === 'failed' ? [{ report, error: outcome.error }] : [],
  );
  return { counts: countsOf(decided), failed };
}

async function recordFailed(db: Db, failed: readonly FailedReport[]): Promise<void> {
  for (const tenantId of new Set(failed.map(({ report }) => report.tenantId))) {
    for (const provider of POLLED_PROVIDERS) {
      const its = failed.flatMap(({ report: { payment, ...report }, error }) => {
        if (report.tenantId !== tenantId || payment.provider !== provider) return [];
        const { providerPaymentId, changedAt } = payment;
        return [{ providerPaymentId, changedAt, error }];
      });
      await recordFailedPayments(db, { tenantId, provider }, its);
    }
  }
}
