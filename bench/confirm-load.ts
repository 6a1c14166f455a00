import { z } from 'zod';
import { messageFrom, type Program, startProgram } from './programs.ts';
import type { Testbed } from './testbed.ts';

/**
 * Complete HTTP requests to send in turn for this many seconds, over `concurrency` connections:
 * each sends the next one when it has its reply, or all together send `perSecond`.
 */
export const ConfirmLoadCommand = z.object({
  port: z.int(),
  requests: z.array(z.string()),
  concurrency: z.int(),
  seconds: z.number(),
  perSecond: z.number().optional(),
});
export type ConfirmLoadCommand = z.infer<typeof ConfirmLoadCommand>;

/** The latency of every reply in milliseconds, and the seconds that sending took. */
export const ConfirmLoadResult = z.object({
  refused: z.int(),
  seconds: z.number(),
  latencies: z.array(z.number()),
});
export type ConfirmLoadResult = z.infer<typeof ConfirmLoadResult>;

export type ConfirmLoadGenerator = {
  send(command: ConfirmLoadCommand): Promise<ConfirmLoadResult>;
  stop(): Promise<void>;
};

/** Starts the process that confirms, apart from what it measures. Takes one command at a time. */
export function startConfirmLoadGenerator(testbed: Testbed): ConfirmLoadGenerator {
  const file = new URL('./confirm-load-main.ts', import.meta.url);
  const program: Program = startProgram(testbed, file, { name: 'confirm-load' });
  return {
    stop: program.stop,
    async send(command) {
      const reply = messageFrom(program);
      program.child.send(command);
      const result = ConfirmLoadResult.parse(await reply);
      if (result.refused > 0) throw new Error(`${result.refused} requests were refused`);
      return result;
    },
  };
}
