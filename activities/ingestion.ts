import type { Db } from '../db/connection.ts';
import { isFaultOfData } from '../db/errors.ts';
import * as webhookEvents from '../db/webhook-events.ts';
import type { EventId, TenantId } from '../domain/ids.ts';
import { type IngestCounts, NO_COUNTS } from '../domain/ingest-counts.ts';
import type { Provider } from '../domain/payment.ts';
import type { Alpha } from '../gateways/alpha.ts';
import type { Secrets } from '../gateways/secrets.ts';
import { type BatchResult, creditBatch, failureText } from './credit-batch.ts';
import { fetchCustomers } from './customers.ts';

export type IngestionDeps = { db: Db; alpha: Alpha; secrets: Secrets };

export type CreditResult = {
  counts: IngestCounts;
  /** Events that wait for their customer to be asked for, first or once more. */
  needCustomer: EventId[];
  /** How long the provider wants to be left alone, if it said so. */
  retryAfterMs: number;
};

export type PendingBatch = { provider: Provider; eventIds: EventId[]; tenantIds: TenantId[] };

/** How many events one sweep takes at a time (specification 8). */
const SWEEP_BATCH = 200;
/** Longer than the longest wait between two attempts of a run, so that its events stay its own. */
const LEASE_SECONDS = 180;

/** The steps of ingestion (contract 5). Each may run any number of times, also at once. */
export function createIngestionActivities({ db, alpha, secrets }: IngestionDeps) {
  return {
    /**
     * Credits a batch of stored events. An event that fails is recorded with its next attempt and
     * holds up no other. A second run finds the events closed and does nothing.
     */
    async creditEvents(ids: EventId[]): Promise<CreditResult> {
      return resultOf(await creditIsolated(db, ids, new Map()));
    },

    /**
     * Asks the provider for the customers of these events, then credits them. Customers that could
     * not be had for the moment stay in `needCustomer`; their events are leased to the caller
     * meanwhile. A second run asks again only for events that are still open.
     */
    async creditEventsOfCustomers(ids: EventId[]): Promise<CreditResult> {
      await webhookEvents.lease(db, ids, LEASE_SECONDS);
      const fetched = await fetchCustomers({ db, alpha, secrets }, ids);
      const credited = await creditIsolated(db, [...fetched.contacts.keys()], fetched.contacts);
      const { counts } = resultOf(credited);
      await webhookEvents.recordFailures(db, fetched.failures);
      await webhookEvents.recordFailures(db, fetched.postponed, LEASE_SECONDS);
      return {
        counts: { ...counts, failed: counts.failed + fetched.failures.length },
        needCustomer: fetched.postponed.map((event) => event.id),
        retryAfterMs: fetched.retryAfterMs,
      };
    },

    /**
     * Takes up to 200 events that no run has in hand, grouped by provider and leased to the caller.
     * Run again before they are done, it takes others.
     */
    async takePendingEvents(): Promise<PendingBatch[]> {
      await webhookEvents.adopt(db);
      const options = { limit: SWEEP_BATCH, leaseSeconds: LEASE_SECONDS };
      const pending = await webhookEvents.takePending(db, options);
      const providers = [...new Set(pending.map((event) => event.provider))];
      return providers.map((provider) => {
        const events = pending.filter((event) => event.provider === provider);
        return {
          provider,
          eventIds: events.map((event) => event.id),
          tenantIds: [...new Set(events.map((event) => event.tenantId))],
        };
      });
    },
  };
}

/**
 * Credits a batch, and when the batch as a whole is refused by its data, each event by itself, so
 * that the one at fault is found and the others pass. Trouble with the database itself is thrown.
 */
async function creditIsolated(
  db: Db,
  ids: readonly EventId[],
  contacts: Parameters<typeof creditBatch>[2],
): Promise<BatchResult> {
  try {
    return await creditBatch(db, ids, contacts);
  } catch (error) {
    if (!isFaultOfData(error)) throw error;
    if (ids.length > 1) return merge(await each(ids, (id) => creditIsolated(db, [id], contacts)));
    const failures = ids.map((id) => ({ id, error: failureText(error) }));
    await webhookEvents.recordFailures(db, failures);
    return { verdicts: [], needCustomer: [], failures };
  }
}

async function each<T, R>(items: readonly T[], step: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await step(item));
  return results;
}

function merge(results: readonly BatchResult[]): BatchResult {
  return {
    verdicts: results.flatMap((result) => result.verdicts),
    needCustomer: results.flatMap((result) => result.needCustomer),
    failures: results.flatMap((result) => result.failures),
  };
}

function resultOf({ verdicts, needCustomer, failures }: BatchResult): CreditResult {
  const counts = { ...NO_COUNTS, failed: failures.length };
  for (const { outcome, payment } of verdicts) {
    counts[COUNTED_AS[outcome]] += 1;
    counts.points += payment?.points ?? 0;
  }
  return { counts, needCustomer, retryAfterMs: 0 };
}

const COUNTED_AS = {
  credited: 'credited',
  stored_anonymous: 'storedAnonymous',
  duplicate: 'duplicate',
  no_rule_no_credit: 'noRuleNoCredit',
  ignored: 'ignored',
} as const;
