// How long runs may take, and which go first.

/** A person waits for these runs: they go before runs of the default priority, which is 3. */
export const URGENT = { priorityKey: 1 } as const;
/** These runs can wait: they go after runs of the default priority. */
export const BACKGROUND = { priorityKey: 5 } as const;

/**
 * A workflow task of ingestion takes a few milliseconds. When its worker dies, the server gives the
 * task to another worker after this time; by default the payments would wait for ten seconds.
 */
export const INGEST_TASK_TIMEOUT = '2 seconds';

/**
 * How long a run may take, retries and runs that continue it included. It is longer than a run ever
 * needs: it ends a run that is stuck, such as one that the code of a new release cannot continue.
 * Schedules start no run beside one that is open, so without an end all later ones would be
 * skipped. Whatever a run leaves undone is in Postgres, where the next one finds it.
 */
export const TIMEOUTS = {
  ingest: '2 hours',
  /** Shorter than a sweep, which waits for it. */
  sweptIngest: '30 minutes',
  sweep: '1 hour',
  /** It ends by itself after a day. */
  healing: '2 days',
  reconcile: '15 minutes',
  /** Its Schedule runs it each hour. */
  maintain: '1 hour',
  poll: '1 hour',
  /** A tenant that always has something due gets a new run once a day. */
  delivery: '1 day',
  verify: '12 hours',
  /** Its Schedule runs it each hour. */
  statements: '1 hour',
  /** As statements. */
  erasures: '1 hour',
  /** Longer than the day for which a mail is tried again. */
  redemption: '2 days',
  notify: '2 days',
  /** A page of wallets takes a moment, and a million of them less than an hour. */
  expiry: '1 day',
  /** As expiry. */
  tiers: '1 day',
  /** Their Schedules run them each hour. */
  watch: '30 minutes',
  /** A day of 25,000 sales, each asked for, by a provider that is away at times. */
  truth: '1 day',
  /** Others of the same worker may come first. */
  rehearsal: '1 day',
  /** The request waits for 20 seconds; polling begins in the minute after it. */
  oauth: '2 minutes',
} as const;
