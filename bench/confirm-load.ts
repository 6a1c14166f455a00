import { z } from 'zod';
import { messageFrom, type Program, startProgram } from './programs.ts';
import type { Stage } from './stage.ts';

/** Whole requests, sent in turn by so many at once, each waiting for its answer. */
export const Requests = z.object({
  port: z.int(),
  requests: z.array(z.string()),
  atOnce: z.int(),
  seconds: z.number(),
});
export type Requests = z.infer<typeof Requests>;

/** Milliseconds of every answer, over so many seconds. */
export const Answered = z.object({
  refused: z.int(),
  seconds: z.number(),
  latencies: z.array(z.number()),
});
export type Answered = z.infer<typeof Answered>;

export type Requester = { ask(requests: Requests): Promise<Answered> };

/** Starts the process that asks, apart from what it measures. One set of requests at a time. */
export function startRequester(stage: Stage): Requester {
  const file = new URL('./confirm-load-main.ts', import.meta.url);
  const program: Program = startProgram(stage, file, { name: 'requester' });
  return {
    async ask(requests) {
      const answer = messageFrom(program);
      program.child.send(requests);
      const answered = Answered.parse(await answer);
      if (answered.refused > 0) throw new Error(`${answered.refused} requests were refused`);
      return answered;
    },
  };
}
