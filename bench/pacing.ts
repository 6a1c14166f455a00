import { setTimeout as sleep } from 'node:timers/promises';
import { machineMs } from './clock.ts';

/**
 * Starts each item when it is due, this many per second from now on, on one of the connections that
 * are idle, and without waiting for those before it. Resolves once all have ended.
 */
export async function atRate<C, T>(
  connections: readonly C[],
  items: readonly T[],
  perSecond: number,
  start: (connection: C, item: T) => Promise<void>,
): Promise<void> {
  // Connections take turns, since the server closes one that stays unused.
  const idle = [...connections];
  const started: Promise<void>[] = [];
  for (const from = machineMs(); started.length < items.length; await sleep(1)) {
    const due = Math.floor(((machineMs() - from) / 1000) * perSecond) + 1;
    while (started.length < Math.min(due, items.length)) {
      const item = items[started.length];
      const connection = idle.shift();
      if (item === undefined || connection === undefined) break;
      started.push(start(connection, item).then(() => void idle.push(connection)));
    }
  }
  await Promise.all(started);
}
