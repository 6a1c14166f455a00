import type { IngestCounts } from './ingest-counts.ts';
import { EVENT_OUTCOMES, OUTCOMES } from './outcomes.ts';

/** A younger sale may still be on its way by webhook, so that nothing follows from it. */
const WEBHOOK_WITHIN_MS = 120_000;

/** How one poll of a connection ended, as far as it tells whether the webhooks arrive. */
export type PollFinding =
  /** It brought a sale that should have arrived by webhook, or did not come to its end. */
  | 'trouble'
  /** It found new sales, and webhooks had brought all of them before. */
  | 'covered'
  /** It found no new sale. */
  | 'nothing';

/**
 * The age of a listed sale: changed too lately for its webhook to be missed, changed since the
 * location was last polled, or listed again because it is in the overlap.
 */
export const SALE_AGES = ['fresh', 'new', 'repeated'] as const;
export type SaleAge = (typeof SALE_AGES)[number];

/** The age of a sale at a location that was polled up to `since` before. */
export function ageOf(changedAt: Date, { since, now }: { since: Date; now: Date }): SaleAge {
  if (changedAt.getTime() > now.getTime() - WEBHOOK_WITHIN_MS) return 'fresh';
  return changedAt > since ? 'new' : 'repeated';
}

/** What a poll has seen of sales that are old enough for their webhooks. */
export type Sightings = {
  /** Sales that no one had ingested. */
  missed: number;
  /** Sales since the last poll that were ingested already. */
  known: number;
};

export const NO_SIGHTINGS: Sightings = { missed: 0, known: 0 };

/** The sightings after sales of one age were ingested. */
export function sightingsAfter(
  { missed, known }: Sightings,
  age: SaleAge,
  counts: IngestCounts,
): Sightings {
  if (age === 'fresh') return { missed, known };
  return {
    missed: missed + sightingsOf('missed', counts) + counts.failed,
    // A sale of the overlap may be known because an earlier poll ingested it.
    known: known + (age === 'new' ? sightingsOf('known', counts) : 0),
  };
}

function sightingsOf(sighting: keyof Sightings, counts: IngestCounts): number {
  const outcomes = EVENT_OUTCOMES.filter((outcome) => OUTCOMES[outcome].sighting === sighting);
  return outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
}

/** After so many polls in a row that webhooks have covered, the poll is only a backup. */
export const COVERED_POLLS_NEEDED = 3;

/** After so many backups without a missed sale, a day by default, they come more rarely. */
const BACKUPS_NEEDED = 24;
export const TIMES_RARER = 6;

/** From how many covered polls on another interval holds. */
export const INTERVAL_STEPS = [
  COVERED_POLLS_NEEDED,
  COVERED_POLLS_NEEDED + BACKUPS_NEEDED,
] as const;

/** What one poll shows about webhooks. `hasEvents`: at least one came since the last poll. */
export function findingOf(
  { missed, known }: Sightings,
  { isComplete, hasEvents }: { isComplete: boolean; hasEvents: boolean },
): PollFinding {
  if (missed > 0 || !isComplete) return 'trouble';
  return known > 0 && hasEvents ? 'covered' : 'nothing';
}

/**
 * The number of covered polls after one more poll, at most as many as change anything. Trouble
 * starts it again. A poll without a new sale, as of a closed shop, says nothing about webhooks; as
 * a backup it has missed nothing.
 */
export function coveredPollsAfter(before: number, finding: PollFinding): number {
  if (finding === 'trouble') return 0;
  const counts = finding === 'covered' || isBackup(before);
  return counts ? Math.min(before + 1, INTERVAL_STEPS[1]) : before;
}

/** The two intervals between polls of a connection, in seconds. */
export type PollIntervals = {
  base: number;
  /** Where webhooks arrive, and six times as long once they have for long; if above the base. */
  backup: number;
};

/** How often a connection is polled, in milliseconds. */
export function pollIntervalMs(coveredPolls: number, { base, backup }: PollIntervals): number {
  if (!isBackup(coveredPolls) || backup <= base) return 1000 * base;
  const times = coveredPolls >= INTERVAL_STEPS[1] ? TIMES_RARER : 1;
  return 1000 * backup * times;
}

/** Whether the webhooks of a connection are known to arrive, so that its poll is a backup. */
export function isBackup(coveredPolls: number): boolean {
  return coveredPolls >= COVERED_POLLS_NEEDED;
}

/** Twice what is needed: an outage ends within one interval, and runs may be late. */
const RATE_RESERVE = 2;
/** For a small installation, whose first polls should not wait. */
const LEAST_PER_SECOND = 10;

/**
 * How many polls all workers together may start per second: enough for every connection at its base
 * interval, between 10 and the configured maximum.
 */
export function pollsPerSecond(
  connections: number,
  { baseSeconds, most }: { baseSeconds: number; most: number },
): number {
  const needed = Math.ceil((RATE_RESERVE * connections) / baseSeconds);
  return Math.min(most, Math.max(LEAST_PER_SECOND, needed));
}
