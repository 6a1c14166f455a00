import type { PosConnection } from '../../db/connections/pos-connections.ts';
import { addCounts, type IngestCounts, NO_COUNTS } from '../../domain/ingest-counts.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import { ageOf, SALE_AGES, sightingsAfter } from '../../domain/poll-cadence.ts';
import type { ListedPayment } from '../../gateways/providers/provider.ts';
import { isLimited } from '../connections/availability.ts';
import { type FailedListing, recordFailedPayments } from '../ingestion/decide/failed-payments.ts';
import { ingestListedPayments } from '../ingestion/decide/ingest-payments.ts';
import { withOwners } from '../ingestion/decide/sale-owners.ts';
import { resolveCustomers } from '../ingestion/events/resolve-customers.ts';
import { safeErrorText } from '../safe-error-text.ts';
import { CustomersUnavailable } from './poll-errors.ts';
import type { PollRun } from './poll-run.ts';

/** The connection with its current tokens, and up to when its location was polled before. */
type Where = { connection: PosConnection; now: Date; since: Date };

/**
 * Ingests the payments of a page and adds them to the progress of the run. What cannot be ingested
 * becomes an event, which the sweep tries again. Throws CustomersUnavailable when the page has to
 * be listed again, or trouble with the database.
 */
export async function ingestPageOf(
  run: PollRun,
  items: readonly ListedPayment[],
  { connection, now, since }: Where,
): Promise<void> {
  const { progress, deps } = run;
  const unreadable: FailedListing[] = [];
  for (const item of items) {
    if ('payment' in item) continue;
    progress.errors += 1;
    progress.trouble = `Payment ${item.id ?? 'without id'} cannot be read. ${item.error}`;
    if (item.id === null) continue;
    unreadable.push({ providerPaymentId: item.id, changedAt: item.at, error: item.error });
  }
  await recordFailedPayments(deps.db, connection, unreadable);
  const payments = items.flatMap((item) => ('payment' in item ? [item.payment] : []));
  const unsettled = payments.filter(({ state }) => state !== 'settled');
  const settled = payments.filter(({ state }) => state === 'settled');
  const resolved = await resolveCustomers(deps, connection, settled, run.signal);

  const all = [...resolved.payments, ...unsettled];
  const { failed, duplicate, ignored } = await ingestByAge(run, all, { connection, now, since });
  const { unresolved, cause } = resolved;
  // The page is listed again, and its payments are counted then.
  if (isLimited(cause)) {
    throw new CustomersUnavailable(connection.provider, unresolved.length, cause);
  }
  // The provider has just listed them, so only these customers cannot be read: no other sale waits.
  const error = safeErrorText(cause);
  await recordFailedPayments(
    deps.db,
    connection,
    unresolved.map(({ providerPaymentId, changedAt }) => ({ providerPaymentId, changedAt, error })),
  );
  const left = failed + unresolved.length;
  progress.payments += all.length - failed;
  progress.news += all.length - failed - duplicate - ignored;
  progress.errors += left;
  if (left > 0) progress.trouble = `${left} payments could not be ingested.`;
}

/** Ingests payments of each age apart: what their results say of webhooks depends on the age. */
async function ingestByAge(
  { progress, taken, deps }: PollRun,
  payments: readonly NormalizedPayment[],
  { connection: { tenantId, merchantId }, now, since }: Where,
): Promise<IngestCounts> {
  const { db, ingestPolicy, metrics } = deps;
  const account = { merchantId, earnsFrom: taken.earnsFrom };
  let counts: IngestCounts = NO_COUNTS;
  for (const age of SALE_AGES) {
    const listed = payments
      .filter((payment) => ageOf(payment.changedAt, { since, now }) === age)
      .map((payment) => ({ tenantId, payment, isResolved: true }));
    const reports = await withOwners(
      db,
      listed.map((report) => ({ report, account })),
    );
    const ingested = await ingestListedPayments(db, reports, ingestPolicy, metrics);
    progress.sightings = sightingsAfter(progress.sightings, age, ingested);
    counts = addCounts(counts, ingested);
  }
  return counts;
}
