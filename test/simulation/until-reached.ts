import { setTimeout as sleep } from 'node:timers/promises';

const ATTEMPTS = 100;
const PAUSE_MS = 100;

/** Repeats work on the database until it is reached: it may be restarting. */
export async function untilReached<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
