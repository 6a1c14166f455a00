import type { Db } from '../../db/connection.ts';
import { addCounts, type IngestCounts, NO_COUNTS } from '../../domain/ingest-counts.ts';
import { settled } from '../../domain/ingestion.ts';
import type { Metrics } from '../../gateways/telemetry/metrics.ts';
import { countsOf } from './counts.ts';
import { decideAndStore } from './decide-and-store.ts';
import type { IngestPolicy } from './ingest-policy.ts';
import { isolate } from './isolate.ts';
import { ingestedPayment, type PaymentReport } from './payment-report.ts';
import { reviseAll } from './revise-payment.ts';

type Recorder = Pick<Metrics, 'paymentsIngested' | 'ingestFailed'>;

/** Larger batches gain nothing and hold their locks for longer. */
const BATCH = 100;

/**
 * Ingests payments that a provider listed in full: credits new ones, matches known ones late or
 * reverses their refunds, ignores unsettled ones. A payment that fails is counted and fails alone.
 * Throws only for trouble with the database. May run any number of times, also at once.
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
      async () => {
        metrics?.ingestFailed('poll', 1);
        return { ...NO_COUNTS, failed: 1 };
      },
    );
    counts = results.reduce(addCounts, counts);
  }
  return counts;
}

async function ingestReports(
  db: Db,
  reports: readonly PaymentReport[],
  policy: IngestPolicy,
  metrics: Recorder | undefined,
): Promise<IngestCounts> {
  const outcomes = await db.transaction((tx) => decideAndStore(tx, reports, policy));
  const final = await reviseAll(db, { reports }, outcomes, policy);
  const decided = [...final].flatMap(([report, outcome]) =>
    outcome.kind === 'decided' ? [ingestedPayment(report, outcome)] : [],
  );
  const failed = final.size - decided.length;
  metrics?.paymentsIngested('poll', decided);
  metrics?.ingestFailed('poll', failed);
  return { ...countsOf(decided), failed };
}
