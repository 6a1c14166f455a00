import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/connection.ts';

/** How many stored events nobody has brought in yet. */
export async function pendingEvents(db: Db): Promise<number> {
  const [row] = await db('webhook_events')
    .where({ processed: false })
    .count<{ n: number }[]>('* as n');
  return Number(row?.n);
}

/** Waits until every stored event was brought in, which nobody helps along. Gives the seconds. */
export async function untilDrained(db: Db, withinSeconds: number): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const pending = await pendingEvents(db);
    const seconds = (performance.now() - begun) / 1000;
    if (pending === 0) return seconds;
    if (seconds > withinSeconds) throw new Error(`${pending} events are still pending`);
    await sleep(200);
  }
}
