import type { Db } from '../../db/connection.ts';
import { isFaultOfData } from '../../db/errors.ts';
import { addCounts, type IngestCounts, NO_COUNTS } from '../../domain/ingest-counts.ts';
import { settled } from '../../domain/ingestion.ts';
import type { Metrics } from '../../gateways/telemetry/metrics.ts';
import type { IngestedPayment } from '../../gateways/telemetry/metrics-work.ts';
import {
  decideAndStore,
  type IngestPolicy,
  ingestedPayment,
  type PaymentReport,
  type Verdict,
} from './decide-and-store.ts';
import { countsOf } from './index.ts';
import { revisePayment } from './revise-payment.ts';

type Recorder = Pick<Metrics, 'paymentsIngested' | 'ingestFailed'>;

/** Larger batches gain nothing and hold their locks for longer. */
const BATCH = 100;

/**
 * Brings in payments that a provider listed, whole: new ones are credited, known ones matched late
 * or reversed, unsettled ones ignored. One that fails is counted and loses nobody else's. Throws
 * only for trouble with the database. May run any number of times, also at once.
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
    const batch = reports.slice(start, start + BATCH);
    counts = addCounts(counts, await creditIsolated(db, batch, policy, metrics));
  }
  return counts;
}

async function creditIsolated(
  db: Db,
  reports: readonly PaymentReport[],
  policy: IngestPolicy,
  metrics: Recorder | undefined,
): Promise<IngestCounts> {
  try {
    const verdicts = await db.transaction((tx) => decideAndStore(tx, reports, policy));
    const { decided, failed } = await finish(db, verdicts, policy);
    metrics?.paymentsIngested('poll', decided);
    metrics?.ingestFailed('poll', failed);
    return { ...countsOf(decided), failed };
  } catch (error) {
    if (!isFaultOfData(error)) throw error;
    if (reports.length === 1) {
      metrics?.ingestFailed('poll', 1);
      return { ...NO_COUNTS, failed: 1 };
    }
    let counts = NO_COUNTS;
    for (const report of reports) {
      counts = addCounts(counts, await creditIsolated(db, [report], policy, metrics));
    }
    return counts;
  }
}

async function finish(
  db: Db,
  verdicts: ReadonlyMap<PaymentReport, Verdict>,
  policy: IngestPolicy,
): Promise<{ decided: IngestedPayment[]; failed: number }> {
  const decided: IngestedPayment[] = [];
  let failed = 0;
  for (const [report, verdict] of verdicts) {
    if (verdict.kind === 'decided') decided.push(ingestedPayment(report, verdict));
    else if (verdict.kind === 'revise') {
      decided.push(ingestedPayment(report, await revisePayment(db, report, policy)));
    } else failed++;
  }
  return { decided, failed };
}
