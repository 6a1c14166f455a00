import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from '@temporalio/worker';

type Runs = Pick<Worker, 'runUntil'>;

/** The connections of a busy day; the rate has a reserve for more. */
const LOOK_EVERY_MS = 10 * 60_000;
/** A smaller difference is not worth another worker. */
const WORTH_IT = 0.25;

/**
 * The worker that polls, replaced whenever the wanted number of polls per second has changed by a
 * quarter: the limit of a worker is fixed when it is created. The one before finishes the polls it
 * has accepted, or leaves them to another attempt. While the wanted rate is unknown, the present
 * one stays.
 */
export function followRate(options: {
  create(pollsPerSecond: number): Promise<Runs>;
  /** How many polls per second are wanted now. */
  wanted(): Promise<number>;
  /** The rate until it is known. */
  initial: number;
  lookEveryMs?: number;
}): Runs {
  const { create, wanted, initial, lookEveryMs = LOOK_EVERY_MS } = options;
  const known = (rate: number) => wanted().catch(() => rate);

  /** Returns the rate when it has changed, or undefined at the end. */
  async function changed(rate: number, end: AbortSignal): Promise<number | undefined> {
    for (;;) {
      const isOver = await sleep(lookEveryMs, false, { signal: end }).catch(() => true);
      if (isOver) return undefined;
      const now = await known(rate);
      if (Math.abs(now - rate) >= rate * WORTH_IT) return now;
    }
  }

  async function run(ending: Promise<unknown>, end: AbortSignal): Promise<void> {
    const draining: Promise<unknown>[] = [];
    let rate: number | undefined = await known(initial);
    while (rate !== undefined) {
      const worker = await create(rate);
      const next = changed(rate, end);
      const running = worker.runUntil(Promise.race([ending, next]));
      rate = await Promise.race([next, running.then(() => undefined)]);
      if (rate === undefined) await running;
      // What it is cut off from is done by another attempt.
      else draining.push(running.catch(() => undefined));
    }
    await Promise.all(draining);
  }

  return {
    async runUntil<R>(end: Promise<R> | (() => Promise<R>)): Promise<R> {
      const over = new AbortController();
      const ending = (typeof end === 'function' ? end() : end).finally(() => over.abort());
      try {
        await run(ending, over.signal);
      } finally {
        over.abort();
      }
      return ending;
    },
  };
}
