import { z } from 'zod';
import type { EventId } from '../../domain/ids.ts';

/** What one job holds: a single event, or all the events that gathered while jobs were queued. */
export const JobSize = z.enum(['event', 'flush']);
export type JobSize = z.infer<typeof JobSize>;

/** Tells the processes of an engine which one it is and where it keeps its jobs. */
export const Setting = z.object({
  engine: z.string(),
  jobSize: JobSize,
  databaseUrl: z.string(),
  redisPort: z.int(),
});
export type Setting = z.infer<typeof Setting>;

/** Ingests stored events as the worker's activity does. Running it again is harmless. */
export type Ingest = (ids: readonly EventId[]) => Promise<void>;

/**
 * Queues one job for each list of events. Two flushes may be under way until it resolves, and what
 * arrives meanwhile is the next: with jobs of a flush it resolves when they are done, so that
 * flushes grow under load, unless the worker itself takes all that waits as one batch.
 */
export type Enqueue = (jobs: readonly EventId[][]) => Promise<void>;

/**
 * A job queue or durable-execution library that ingests events in place of Temporal: opened by an
 * API process, which queues, and by a worker process, which ingests. The worker is opened first.
 */
export type JobEngine = {
  openQueue(setting: Setting): Promise<Enqueue>;
  /** Starts ingesting what is queued. The returned function stops once open jobs are done. */
  openWorker(setting: Setting, ingest: Ingest): Promise<() => Promise<void>>;
};

export const QUEUE = 'ingest';

/** How many jobs of a single event a worker runs at once; each holds a connection. */
export const EVENTS_AT_ONCE = 10;
/** A batch keeps the worker busy, and another is prepared beside it, as in our own worker. */
export const FLUSHES_AT_ONCE = 2;
