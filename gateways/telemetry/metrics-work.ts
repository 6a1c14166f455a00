import { Counter, Histogram, type Registry } from 'prom-client';
import { EVENT_OUTCOMES, type EventOutcome } from '../../domain/outcomes.ts';
import { PROVIDERS, type Provider } from '../../domain/payment.ts';

/** How a payment was found: by webhook, by polling, or by matching at its consumer's sign-up. */
export type PaymentSource = 'webhook' | 'poll' | 'signup';

/** The outcome of ingesting a payment. */
export type IngestedPayment = {
  provider: Provider;
  outcome: EventOutcome;
  /** The points credited. */
  points: number;
  /** The time of the payment; null when unknown. */
  occurredAt: Date | null;
  /** When its webhook was received; null without a webhook. */
  receivedAt: Date | null;
};

export type CallOutcome = 'answered' | 'absent' | 'refused' | 'limited' | 'failed' | 'unreachable';
/** A request to a provider, with its duration. */
export type ProviderRequest = { provider: Provider; outcome: CallOutcome; seconds: number };
export type RefreshOutcome = 'refreshed' | 'refused' | 'failed';
export type MailingOutcome = 'sent' | 'refused' | 'failed';
export type WebhookOutcome = 'delivered' | 'failed';
export type PollCounts = { payments: number; pages: number };

export type WorkMetrics = {
  /** Counts an attempt to deliver an event to a tenant's endpoint, with its duration. */
  webhookSent(outcome: WebhookOutcome, seconds: number): void;
  /** Counts ingested payments by outcome, after the commit. */
  paymentsIngested(source: PaymentSource, payments: readonly IngestedPayment[]): void;
  /** Counts failed attempts to ingest. */
  ingestFailed(source: PaymentSource, count: number): void;
  /** Records the number of events in the batch of a run. */
  batchTaken(events: number): void;
  polled(outcome: string, counts: PollCounts): void;
  providerAsked(call: ProviderRequest): void;
  tokenRefreshed(provider: Provider, outcome: RefreshOutcome): void;
  mailed(outcome: MailingOutcome): void;
  /** Counts codes that expired unused, by whether their points were returned. */
  codesExpired(count: number, points: 'returned' | 'forfeited'): void;
  /** Counts consumers with unusual movements, of whom owners were told. */
  unusualConsumersFound(count: number): void;
};

/** From an immediate credit by webhook to a late one by poll or sign-up. */
const LAG_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 21_600, 86_400];
const CALL_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const SIZE_BUCKETS = [1, 2, 5, 10, 25, 50, 100, 200, 500];
const MS_PER_SECOND = 1_000;

/** Creates the metrics of background work: ingestion, polling, provider calls, mails, expiry. */
export function createWorkMetrics(registry: Registry): WorkMetrics {
  return {
    ...createIngestMetrics(registry),
    ...createBackgroundMetrics(registry),
    ...createWebhookMetrics(registry),
  };
}

function createIngestMetrics(registry: Registry) {
  const registers = [registry];
  const labelNames = ['provider', 'source'] as const;
  const outcomes = new Counter({
    name: 'loyalty_ingest_outcomes_total',
    help: 'Payments found by webhook, poll or sign-up, by outcome.',
    labelNames: [...labelNames, 'outcome'],
    registers,
  });
  const points = new Counter({
    name: 'loyalty_points_credited_total',
    help: 'Points credited for payments.',
    labelNames: ['provider'],
    registers,
  });
  const failures = new Counter({
    name: 'loyalty_ingest_failures_total',
    help: 'Failed attempts to ingest an event or a listed payment, or to match an earlier one.',
    labelNames: ['source'],
    registers,
  });
  const lag = new Histogram({
    name: 'loyalty_ingest_lag_seconds',
    help: 'Seconds from a payment to its credit.',
    labelNames,
    buckets: LAG_BUCKETS,
    registers,
  });
  const credit = new Histogram({
    name: 'loyalty_webhook_credit_seconds',
    help: 'Seconds from receiving a webhook to the credit of its payment.',
    labelNames: ['provider'],
    buckets: LAG_BUCKETS,
    registers,
  });
  const batches = new Histogram({
    name: 'loyalty_ingest_batch_events',
    help: 'Events per batch that a run ingests.',
    buckets: SIZE_BUCKETS,
    registers,
  });
  for (const provider of PROVIDERS) {
    points.inc({ provider }, 0);
    for (const outcome of EVENT_OUTCOMES) outcomes.inc({ provider, outcome, source: 'webhook' }, 0);
  }
  for (const source of ['webhook', 'poll', 'signup']) failures.inc({ source }, 0);

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

function createBackgroundMetrics(registry: Registry) {
  const registers = [registry];
  const polls = new Counter({
    name: 'loyalty_polls_total',
    help: 'Runs that polled a connection, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const payments = new Counter({
    name: 'loyalty_poll_payments_total',
    help: 'Payments that polling ingested, already known ones included.',
    registers,
  });
  const pages = new Counter({
    name: 'loyalty_poll_pages_total',
    help: 'Pages of listings that polling read.',
    registers,
  });
  const calls = new Histogram({
    name: 'loyalty_provider_request_duration_seconds',
    help: 'Duration of requests to providers in seconds, by outcome.',
    labelNames: ['provider', 'outcome'],
    buckets: CALL_BUCKETS,
    registers,
  });
  const refreshes = new Counter({
    name: 'loyalty_token_refreshes_total',
    help: 'Refreshes of connections’ tokens; after a refused one the merchant must reconnect.',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const mails = new Counter({
    name: 'loyalty_mails_total',
    help: 'Mails submitted to the mail server, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const expired = new Counter({
    name: 'loyalty_codes_expired_total',
    help: 'Redemption codes that expired unused, by whether points were returned or forfeited.',
    labelNames: ['points'],
    registers,
  });
  const unusual = new Counter({
    name: 'loyalty_unusual_consumers_total',
    help: 'Consumers with more sales and codes in 24 hours than usual, of whom owners were told.',
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
    providerAsked: ({ provider, outcome, seconds }: ProviderRequest) =>
      calls.observe({ provider, outcome }, seconds),
    tokenRefreshed: (provider: Provider, outcome: RefreshOutcome) =>
      refreshes.inc({ provider, outcome }),
    mailed: (outcome: MailingOutcome) => mails.inc({ outcome }),
    codesExpired: (count: number, points: 'returned' | 'forfeited') =>
      expired.inc({ points }, count),
    unusualConsumersFound: (count: number) => unusual.inc(count),
  };
}

function createWebhookMetrics(registry: Registry) {
  const webhooks = new Histogram({
    name: 'loyalty_webhook_attempt_seconds',
    help: 'Duration of attempts to deliver an event to an endpoint of a tenant, by outcome.',
    labelNames: ['outcome'],
    buckets: CALL_BUCKETS,
    registers: [registry],
  });
  return {
    webhookSent: (outcome: WebhookOutcome, seconds: number) =>
      webhooks.observe({ outcome }, seconds),
  };
}

/** Seconds since a time; 0 for a time in the future, because clocks differ. */
function secondsSince(then: Date, now: number): number {
  return Math.max(0, now - then.getTime()) / MS_PER_SECOND;
}
