import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/connection.ts';
import { eventRows } from '../support/providers/events.ts';

/** Counts the stored events that are not yet ingested. */
export async function pendingEvents(db: Db): Promise<number> {
  const [row] = await eventRows(db)
    .clearSelect()
    .where({ processed: false })
    .count<{ n: number }[]>('* as n');
  return Number(row?.n);
}

/** Waits until the service has ingested every stored event by itself. Returns the seconds. */
export async function untilDrained(db: Db, withinSeconds: number): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const pending = await pendingEvents(db);
    const seconds = (performance.now() - startedAt) / 1000;
    if (pending === 0) return seconds;
    if (seconds > withinSeconds) throw new Error(`${pending} events are still pending`);
    await sleep(200);
  }
}
