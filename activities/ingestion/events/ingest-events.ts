import { announce } from '../../../db/changes/announce.ts';
import type { Db } from '../../../db/connection.ts';
import * as availability from '../../../db/connections/availability.ts';
import * as connectionTokens from '../../../db/connections/tokens.ts';
import { isLockTimeout } from '../../../db/errors.ts';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import { storeBatch } from '../../../db/payments/batch-write.ts';
import type { EventId } from '../../../domain/ids.ts';
import type { IngestedPayment } from '../../../gateways/telemetry/metrics-work.ts';
import { reconnectText } from '../../connections/token-refresh.ts';
import { isolate, throwIfUnwell } from '../../isolate.ts';
import { safeErrorText } from '../../safe-error-text.ts';
import { decideAndStore } from '../decide/decide-and-store.ts';
import type { IngestPolicy } from '../decide/ingest-policy.ts';
import { changedBy, ingestedPayment } from '../decide/payment-report.ts';
import { reviseAll } from '../revise/revise-payment.ts';
import { ignoredFor, type Resolved, type Revoked, readEvents } from './read-events.ts';

export type BatchResult = {
  /** The outcomes of the payments of these events, event by event. */
  decided: IngestedPayment[];
  /** Events that need an answer from their provider. */
  ask: EventId[];
  failures: webhookEvents.EventFailure[];
  /** Events whose wallet another transaction holds: they stay due, and no attempt is counted. */
  held: EventId[];
  /** Events that are closed, or that another transaction has locked. */
  skipped: EventId[];
};

/** A transaction of more would hold its wallets for longer, and is no cheaper per event. */
const BATCH = 500;

/**
 * Ingests events, up to 500 in a transaction. A batch that the database refuses is halved until the
 * event at fault is alone, so that it fails alone and its failure is recorded. Events of wallets
 * that somebody holds for over a second are left for the next attempt. Running it again, or twice
 * at once, is harmless.
 *
 * `resolved` holds what providers said when they were asked about these events.
 */
export async function ingestEvents(
  db: Db,
  ids: readonly EventId[],
  resolved: ReadonlyMap<EventId, Resolved>,
  policy: IngestPolicy,
): Promise<BatchResult> {
  const results: BatchResult[] = [];
  for (let start = 0; start < ids.length; start += BATCH) {
    const done = await isolate(
      ids.slice(start, start + BATCH),
      (batch, leavesHeld) => ingestBatch(db, { ids: batch, resolved, leavesHeld }, policy),
      (id, error) => refused(db, id, error),
    );
    results.push(...done);
  }
  return {
    decided: results.flatMap((result) => result.decided),
    ask: results.flatMap((result) => result.ask),
    failures: results.flatMap((result) => result.failures),
    held: results.flatMap((result) => result.held),
    skipped: results.flatMap((result) => result.skipped),
  };
}

/** Records why an event that the database refused, when it was alone, failed or is left. */
async function refused(db: Db, id: EventId, error: unknown): Promise<BatchResult> {
  const nothing = { decided: [], ask: [], failures: [], held: [], skipped: [] };
  if (isLockTimeout(error)) {
    await webhookEvents.recordHeld(db, [id]);
    return { ...nothing, held: [id] };
  }
  await throwIfUnwell(db, error);
  const failures = [{ id, error: safeErrorText(error) }];
  await webhookEvents.recordFailures(db, failures);
  return { ...nothing, failures };
}

/**
 * Ingests a batch. New payments are one transaction: it reads the events, decides their payments
 * and stores them together with the results of the events. Changes of stored payments follow, many
 * in a transaction, the last of which closes their event. A malformed event fails alone. The parts
 * of one that is split are stored as its result is, and left to the sweep, however many they are.
 * Running it again, or twice at once, is harmless.
 */
export async function ingestEventBatch(
  db: Db,
  ids: readonly EventId[],
  resolved: ReadonlyMap<EventId, Resolved>,
  policy: IngestPolicy,
): Promise<BatchResult> {
  return ingestBatch(db, { ids, resolved, leavesHeld: false }, policy);
}

type Batch = {
  ids: readonly EventId[];
  resolved: ReadonlyMap<EventId, Resolved>;
  /** Whether payments of wallets that another transaction holds are left out. */
  leavesHeld: boolean;
};

async function ingestBatch(
  db: Db,
  { ids, resolved, leavesHeld }: Batch,
  policy: IngestPolicy,
): Promise<BatchResult> {
  const { read, outcomes } = await db.transaction(async (tx) => {
    const read = await readEvents(tx, ids, resolved, policy);
    const reports = read.events.flatMap((event) => event.reports);
    const options = { reported: read.events, ignored: read.ignored, leavesHeld };
    const outcomes = await decideAndStore(tx, reports, policy, options);
    if (read.parts.length > 0) await webhookEvents.insert(tx, read.parts);
    return { read, outcomes };
  });

  announce(db, changedBy(outcomes.values()));

  const { decided, ask, failures, skipped } = read;
  const held: EventId[] = [];
  for (const each of read.revoked) await flagRevoked(db, each);
  const groups = read.events.map((event) => ({ reports: event.reports, event }));
  const final = await reviseAll(db, groups, outcomes, policy);
  for (const event of read.events) {
    for (const report of event.reports) {
      const outcome = final.get(report);
      switch (outcome?.kind) {
        case 'decided':
          decided.push({ ...ingestedPayment(report, outcome), receivedAt: event.receivedAt });
          break;
        case 'ask':
          if (!ask.includes(event.id)) ask.push(event.id);
          break;
        case 'failed':
          failures.push({ id: event.id, error: outcome.error });
          break;
        case 'held':
          if (!held.includes(event.id)) held.push(event.id);
          break;
      }
    }
  }
  await webhookEvents.recordFailures(db, failures);
  await webhookEvents.recordHeld(db, held);
  return { decided, ask, failures, held, skipped };
}

/**
 * Flags a connection, or has it asked about, and then closes the event that reported it. This
 * comes after the batch, so that no other event waits for a lock of the connection. If it is killed
 * in between, the event is read again.
 */
async function flagRevoked(db: Db, { event, reading }: Revoked): Promise<void> {
  const { provider } = event;
  const { merchantId, revokedAt } = reading;
  const account = { provider, merchantId, revokedAt };
  if (reading.isSigned) await connectionTokens.flagRevoked(db, account, reconnectText(provider));
  else await availability.haveProbed(db, account);
  const closed = [ignoredFor('authorization_revoked', event)];
  await db.transaction((tx) => storeBatch(tx, [], closed));
}
