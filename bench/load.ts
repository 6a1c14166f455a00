import { z } from 'zod';
import { messageFrom, type Program, startProgram } from './programs.ts';
import { Plan } from './sales.ts';
import type { Testbed } from './testbed.ts';

/** A command to the load generator: which plan to deliver, and how. */
export const LoadCommand = z.object({
  port: z.int(),
  plan: Plan,
  connections: z.int(),
  pace: z.discriminatedUnion('kind', [
    /** As fast as events are acknowledged, starting over until this many seconds have passed. */
    z.object({ kind: z.literal('repeat'), seconds: z.number() }),
    /** Each event once, as fast as events are acknowledged. */
    z.object({ kind: z.literal('once') }),
    /** Each event once, this many per second, without waiting for replies. */
    z.object({ kind: z.literal('rate'), perSecond: z.number() }),
  ]),
});
export type LoadCommand = z.input<typeof LoadCommand>;

/** The result of a command. Times are those of `machineMs`. */
export const LoadResult = z.object({
  /** Number of webhooks that were answered with 200. */
  acknowledged: z.int(),
  /** Number of webhooks that were answered with another status. */
  refused: z.int(),
  startedAt: z.number(),
  endedAt: z.number(),
  /** Milliseconds from writing each request to its reply. */
  latencies: z.array(z.number()),
  /** When each event of the plan was sent, by its number; empty unless the pace is a rate. */
  sentAt: z.array(z.number()),
});
export type LoadResult = z.infer<typeof LoadResult>;

export type LoadGenerator = {
  pid: number;
  deliver(command: LoadCommand): Promise<LoadResult>;
  stop(): Promise<void>;
};

/** Starts the process that sends, apart from what it measures. Takes one command at a time. */
export function startLoadGenerator(testbed: Testbed): LoadGenerator {
  const file = new URL('./load-main.ts', import.meta.url);
  const program: Program = startProgram(testbed, file, { name: 'load' });
  return {
    pid: program.pid,
    stop: program.stop,
    async deliver(command) {
      const reply = messageFrom(program);
      program.child.send(command);
      const result = LoadResult.parse(await reply);
      if (result.refused > 0) {
        throw new Error(`${result.refused} webhooks were not answered with 200`);
      }
      return result;
    },
  };
}
