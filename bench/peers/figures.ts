import { z } from 'zod';

const Spread = z.object({ min: z.number(), median: z.number(), max: z.number() });

/**
 * The measurements of one engine with one setting. The benchmark's JSON has them for every program
 * that reads it, so a key keeps its name and meaning.
 */
export const PeerFigures = z.object({
  engine: z.string(),
  /** What a job holds; `ours` has a workflow run, and `loop` a transaction, for what gathered. */
  kind: z.enum(['ours', 'loop', 'event', 'flush']),
  /** Credited per second in a burst over 100 tenants, and over one. */
  creditedPerSecond: z.object({ spread: Spread, 'one-tenant': Spread }),
  /** From sending a webhook to the commit of its payment, at 20 per second. */
  latencyMs: z.object({ p50: z.number(), p99: z.number() }),
  /** Microseconds of processor time per event in the burst over 100 tenants, by process. */
  cpuMicroseconds: z.record(z.string(), z.number()),
});
export type PeerFigures = z.infer<typeof PeerFigures>;
