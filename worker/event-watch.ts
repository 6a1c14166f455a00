import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Db } from '../db/connection.ts';
import * as positions from '../db/outgoing/positions.ts';
import type { TenantId } from '../domain/ids.ts';
import type { Logger } from '../gateways/telemetry/logger.ts';
import { deliveryWake } from '../workflows/delivery-start.ts';

/** How long an event waits at most until its delivery begins, while Temporal can be reached. */
const LOOK_EVERY_MS = 500;
/** Of the tenants of one look, that many are told at a time. */
const AT_ONCE = 20;

type Watch = {
  db: Db;
  log: Pick<Logger, 'warn'>;
  wake: (tenantId: TenantId) => Promise<unknown>;
};

/**
 * Wakes the delivery of each tenant soon after its events are settled, until `end` is aborted. A
 * look is one statement, which mostly finds nothing; of several workers one wakes at a time, and
 * the others are told nothing twice. It needs nobody who writes an event to say so.
 */
export async function watchEvents(
  watch: Watch,
  end: AbortSignal,
  everyMs = LOOK_EVERY_MS,
): Promise<void> {
  const holder = randomUUID();
  let isWarned = false;
  while (!end.aborted) {
    try {
      await look(watch, holder);
      isWarned = false;
    } catch (err) {
      const event = 'event_watch_failed';
      if (!isWarned) watch.log.warn({ event, err }, 'Events wait for their delivery to be woken');
      isWarned = true;
    }
    await sleep(everyMs, undefined, { signal: end }).catch(() => undefined);
  }
}

async function look({ db, wake }: Watch, holder: string): Promise<void> {
  if (!(await positions.hasNews(db))) return;
  const news = await positions.take(db, holder);
  if (news === undefined) return;
  const { tenantIds } = news;
  try {
    for (let nth = 0; nth < tenantIds.length; nth += AT_ONCE) {
      await Promise.all(tenantIds.slice(nth, nth + AT_ONCE).map(wake));
    }
  } catch (error) {
    // Otherwise they would wait until the lease ends.
    await positions.giveBack(db, holder);
    throw error;
  }
  await positions.moveOn(db, holder, news);
}

/** Wakes the run that delivers a tenant's events, or starts it. */
export function createWake({ workflow }: Client): (tenantId: TenantId) => Promise<unknown> {
  return (tenantId) => {
    const { workflowType, ...wake } = deliveryWake(tenantId, []);
    return workflow.signalWithStart(workflowType, wake);
  };
}
