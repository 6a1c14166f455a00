import { z } from 'zod';
import { messageFrom, type Program, startProgram } from './programs.ts';
import { Plan } from './sales.ts';
import type { Stage } from './stage.ts';

/** How a plan is delivered. */
export const LoadCommand = z.object({
  port: z.int(),
  plan: Plan,
  connections: z.int(),
  pace: z.discriminatedUnion('kind', [
    /** As fast as it is acknowledged, over and over for so long. */
    z.object({ kind: z.literal('repeat'), seconds: z.number() }),
    /** As fast as it is acknowledged, each event once. */
    z.object({ kind: z.literal('once') }),
    /** Each event once, so many in a second, whatever the answers. */
    z.object({ kind: z.literal('rate'), perSecond: z.number() }),
  ]),
});
export type LoadCommand = z.input<typeof LoadCommand>;

/** What became of an order. Times are those of `machineMs`. */
export const Delivered = z.object({
  /** How many were answered with 200. */
  acknowledged: z.int(),
  /** How many were answered with anything else. */
  refused: z.int(),
  startedAt: z.number(),
  endedAt: z.number(),
  /** From writing each request to its answer, in milliseconds. */
  latencies: z.array(z.number()),
  /** When each event of the plan was first sent, by its number; only at a rate. */
  sentAt: z.array(z.number()),
});
export type Delivered = z.infer<typeof Delivered>;

export type LoadGenerator = { pid: number; deliver(order: LoadCommand): Promise<Delivered> };

/** Starts the process that sends, apart from everything it measures. One order at a time. */
export function startLoadGenerator(stage: Stage): LoadGenerator {
  const file = new URL('./load-main.ts', import.meta.url);
  const program: Program = startProgram(stage, file, { name: 'load' });
  return {
    pid: program.pid,
    async deliver(order) {
      const answer = messageFrom(program);
      program.child.send(order);
      const delivered = Delivered.parse(await answer);
      if (delivered.refused > 0) {
        throw new Error(`${delivered.refused} webhooks were not answered with 200`);
      }
      return delivered;
    },
  };
}
