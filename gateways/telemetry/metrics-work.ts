import { Counter, Histogram, type Registry } from 'prom-client';
import {
  EVENT_OUTCOMES,
  type EventOutcome,
  PROVIDERS,
  type Provider,
} from '../../domain/payment.ts';

/** How a payment came to us: pushed, listed, or found again when its consumer signed up. */
export type PaymentSource = 'webhook' | 'poll' | 'signup';

/** What became of a report of a payment. */
export type IngestedPayment = {
  provider: Provider;
  outcome: EventOutcome;
  /** What was credited with it. */
  points: number;
  /** When it was paid; null where that is not known. */
  occurredAt: Date | null;
  /** When the delivery came in that told of it; null where none did. */
  receivedAt: Date | null;
};

export type CallOutcome = 'answered' | 'absent' | 'refused' | 'limited' | 'failed' | 'unreachable';
/** A request to a provider: `seconds` it took. */
export type AskedProvider = { provider: Provider; outcome: CallOutcome; seconds: number };
export type RefreshOutcome = 'refreshed' | 'refused' | 'failed';
export type MailingOutcome = 'sent' | 'refused' | 'failed';
export type PollCounts = { payments: number; pages: number };

export type WorkMetrics = {
  /** What became of reports, once that is committed. */
  paymentsIngested(source: PaymentSource, payments: readonly IngestedPayment[]): void;
  /** Attempts to bring something in that failed. */
  ingestFailed(source: PaymentSource, count: number): void;
  /** How many events one run was given. */
  batchTaken(events: number): void;
  polled(outcome: string, counts: PollCounts): void;
  providerAsked(call: AskedProvider): void;
  tokenRefreshed(provider: Provider, outcome: RefreshOutcome): void;
  mailed(outcome: MailingOutcome): void;
  /** Codes that expired unused, and whether their points went back. */
  codesExpired(count: number, points: 'returned' | 'forfeited'): void;
};

/** From what feels immediate to what only a poll or a late match brings. */
const LAGS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400];
const CALLS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SIZES = [1, 2, 5, 10, 25, 50, 100, 200, 500];
const MS = 1_000;

/** What the work behind requests comes to: ingestion, polling, providers, mails, expiry. */
export function createWorkMetrics(registry: Registry): WorkMetrics {
  return { ...createIngestMetrics(registry), ...createOutsideMetrics(registry) };
}

function createIngestMetrics(registry: Registry) {
  const registers = [registry];
  const labelNames = ['provider', 'source'] as const;
  const outcomes = new Counter({
    name: 'loyalty_ingest_outcomes_total',
    help: 'What became of reports of payments.',
    labelNames: [...labelNames, 'outcome'],
    registers,
  });
  const points = new Counter({
    name: 'loyalty_points_credited_total',
    help: 'Points that were credited for payments.',
    labelNames: ['provider'],
    registers,
  });
  const failures = new Counter({
    name: 'loyalty_ingest_failures_total',
    help: 'Failed attempts to bring in an event or a listed payment.',
    labelNames: ['source'],
    registers,
  });
  const lag = new Histogram({
    name: 'loyalty_ingest_lag_seconds',
    help: 'The time from a payment to its credit.',
    labelNames,
    buckets: LAGS,
    registers,
  });
  const credit = new Histogram({
    name: 'loyalty_webhook_credit_seconds',
    help: 'The time from a webhook’s arrival to the credit of what it tells.',
    labelNames: ['provider'],
    buckets: LAGS,
    registers,
  });
  const batches = new Histogram({
    name: 'loyalty_ingest_batch_events',
    help: 'How many events a run brings in at a time.',
    buckets: SIZES,
    registers,
  });
  for (const provider of PROVIDERS) {
    points.inc({ provider }, 0);
    for (const outcome of EVENT_OUTCOMES) outcomes.inc({ provider, outcome, source: 'webhook' }, 0);
  }
  for (const source of ['webhook', 'poll']) failures.inc({ source }, 0);

  return {
    paymentsIngested(source: PaymentSource, payments: readonly IngestedPayment[]) {
      const now = Date.now();
      for (const payment of payments) {
        const { provider, outcome, occurredAt, receivedAt } = payment;
        outcomes.inc({ provider, source, outcome });
        if (outcome !== 'credited') continue;
        points.inc({ provider }, payment.points);
        if (occurredAt !== null && source !== 'signup') {
          lag.observe({ provider, source }, secondsSince(occurredAt, now));
        }
        if (receivedAt !== null) credit.observe({ provider }, secondsSince(receivedAt, now));
      }
    },
    ingestFailed: (source: PaymentSource, count: number) => failures.inc({ source }, count),
    batchTaken: (events: number) => batches.observe(events),
  };
}

function createOutsideMetrics(registry: Registry) {
  const registers = [registry];
  const polls = new Counter({
    name: 'loyalty_polls_total',
    help: 'Runs that polled a connection, by how they ended.',
    labelNames: ['outcome'],
    registers,
  });
  const payments = new Counter({
    name: 'loyalty_poll_payments_total',
    help: 'Payments that were brought in by polling, known ones included.',
    registers,
  });
  const pages = new Counter({
    name: 'loyalty_poll_pages_total',
    help: 'Pages of listings that were read by polling.',
    registers,
  });
  const calls = new Histogram({
    name: 'loyalty_provider_request_duration_seconds',
    help: 'Requests to providers, by what came of them.',
    labelNames: ['provider', 'outcome'],
    buckets: CALLS,
    registers,
  });
  const refreshes = new Counter({
    name: 'loyalty_token_refreshes_total',
    help: 'Refreshes of connections’ tokens; after one that is refused the merchant must reconnect.',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const mails = new Counter({
    name: 'loyalty_mails_total',
    help: 'Mails that were handed to the mail server.',
    labelNames: ['outcome'],
    registers,
  });
  const expired = new Counter({
    name: 'loyalty_codes_expired_total',
    help: 'Redemption codes that expired unused, and what became of their points.',
    labelNames: ['points'],
    registers,
  });
  for (const outcome of ['done', 'capped', 'failed']) polls.inc({ outcome }, 0);
  for (const outcome of ['sent', 'refused', 'failed']) mails.inc({ outcome }, 0);
  expired.inc({ points: 'returned' }, 0);

  return {
    polled(outcome: string, counts: PollCounts) {
      polls.inc({ outcome });
      payments.inc(counts.payments);
      pages.inc(counts.pages);
    },
    providerAsked: ({ provider, outcome, seconds }: AskedProvider) =>
      calls.observe({ provider, outcome }, seconds),
    tokenRefreshed: (provider: Provider, outcome: RefreshOutcome) =>
      refreshes.inc({ provider, outcome }),
    mailed: (outcome: MailingOutcome) => mails.inc({ outcome }),
    codesExpired: (count: number, what: 'returned' | 'forfeited') =>
      expired.inc({ points: what }, count),
  };
}

/** Clocks differ: what is said to happen later than now happens now. */
function secondsSince(then: Date, now: number): number {
  return Math.max(0, now - then.getTime()) / MS;
}
