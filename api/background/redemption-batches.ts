import type { RedemptionId, TenantId } from '../../domain/ids.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { createThrottledWarning } from './throttled-warning.ts';

/** A committed redemption that a run is to follow. */
export type IssuedRedemption = {
  id: RedemptionId;
  tenantId: TenantId;
  correlationId: string;
  /** How often its mail was sent again, if a run is to send it another time. */
  resent?: number;
  /** The open span of its request, where traces are recorded. */
  traceparent?: string | undefined;
};

export type RedemptionBatches = {
  /** Has a redemption followed by a run, in the background. Never throws. */
  add(issued: IssuedRedemption): void;
  /** How many redemptions wait for a run. */
  waiting(): number;
  /** Starts runs for all that waits, and resolves when they are started or one could not be. */
  close(): Promise<void>;
};

/** A run that follows more takes long to mail the last of its codes. */
const MAX_BATCH = 200;
/** A run costs as much for one redemption as for many, and a mail may come this much later. */
const GATHER_MS = 500;
/** Beyond this, reconcile takes over: it reads the rows and needs no memory for the queue. */
const MAX_WAITING = 20_000;

/**
 * Creates what has redemptions followed in batches: one alone when there are few, at once, and all
 * that were issued in the meantime when there are many. `start` resolves when the run is started.
 * Batches that it rejects are left to reconcile.
 */
export function createRedemptionBatches(options: {
  start: (batch: readonly IssuedRedemption[]) => Promise<unknown>;
  log: Logger;
  gatherMs?: number;
}): RedemptionBatches {
  const { start, gatherMs = GATHER_MS } = options;
  const queue: IssuedRedemption[] = [];
  let starting: Promise<unknown> | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let isClosed = false;
  const warn = createThrottledWarning(
    options.log,
    'No run could be started for redemptions; they are left to reconcile',
  );

  const pump = () => {
    const isFull = queue.length >= MAX_BATCH;
    if (isClosed || starting !== undefined || queue.length === 0) return;
    if (gathering !== undefined && !isFull) return;
    clearTimeout(gathering);
    gathering = setTimeout(() => {
      gathering = undefined;
      pump();
    }, gatherMs).unref();
    starting = startBatch(queue.splice(0, MAX_BATCH)).finally(() => {
      starting = undefined;
      pump();
    });
  };

  const startBatch = async (batch: IssuedRedemption[]): Promise<boolean> => {
    try {
      await start(batch);
      return true;
    } catch (error) {
      warn({ event: 'redemptions_not_followed', err: error, redemptions: batch.length });
      return false;
    }
  };

  return {
    add(issued) {
      if (queue.length >= MAX_WAITING) return;
      queue.push(issued);
      pump();
    },
    waiting: () => queue.length,
    async close() {
      isClosed = true;
      clearTimeout(gathering);
      await starting;
      let isReachable = true;
      while (isReachable && queue.length > 0) {
        isReachable = await startBatch(queue.splice(0, MAX_BATCH));
      }
    },
  };
}
