import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Collects garbage, and lets what is told of it run. */
export async function collectGarbage(): Promise<void> {
  for (let time = 0; time < 5; time++) {
    collect();
    await sleep(10);
  }
}
