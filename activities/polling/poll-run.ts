import type { Lease, LeasedConnection } from '../../db/connections/poll-leases.ts';
import type { Sightings } from '../../domain/poll-cadence.ts';
import type { IngestionDeps } from '../ingestion/index.ts';

/** The inputs and the progress of one polling run. */
export type PollRun = {
  readonly deps: IngestionDeps;
  readonly lease: Lease;
  readonly taken: LeasedConnection;
  readonly signal: AbortSignal;
  readonly maxPages: number;
  readonly progress: RunProgress;
  /** Reports the progress, also as a sign of life. */
  readonly heartbeat: () => void;
};

/** What a run counts. */
export type PollCounts = {
  /** The ingested payments. */
  payments: number;
  /** Those of the payments that were stored or changed, and not known already. */
  news: number;
  /** The pages that listed them. */
  pages: number;
  /** The payments that could not be ingested, plus one when the run itself failed. */
  errors: number;
};

/** What a run has done so far. Only the ingestion of pages changes it. */
export type RunProgress = PollCounts & {
  /** The last stored position, in a form that a heartbeat can carry. */
  at: { locationId: string | null; updatedAt: string | null; id: string | null };
  /** A problem that did not end the run, in words; null without one. */
  trouble: string | null;
  /** What it has seen of sales that webhooks should have brought. */
  sightings: Sightings;
};
