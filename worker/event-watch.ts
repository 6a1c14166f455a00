import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Db } from '../db/connection.ts';
import * as events from '../db/outgoing/events.ts';
import type { TenantId } from '../domain/ids.ts';
import type { Logger } from '../gateways/telemetry/logger.ts';
import { deliveryWake } from '../workflows/delivery-start.ts';

/** How long an event waits at most until its delivery begins, while Temporal can be reached. */
const LOOK_EVERY_MS = 500;
/** Of the tenants of one look, that many are told at a time. */
const AT_ONCE = 20;

/**
 * Wakes the delivery of each tenant soon after its events are settled, until `end` is aborted. A
 * look is one statement, which reads what has been settled since the last one. It needs nobody who
 * writes an event to say so, and may miss some: reconcile delivers what nobody was woken for.
 */
export async function watchEvents(
  { db, log, wake }: { db: Db; log: Logger; wake: (tenantId: TenantId) => Promise<unknown> },
  end: AbortSignal,
  everyMs = LOOK_EVERY_MS,
): Promise<void> {
  let from: events.SettledPosition | null = null;
  let isWarned = false;
  while (!end.aborted) {
    try {
      const { position, tenantIds } = await events.listNewlySettled(db, from);
      for (let nth = 0; nth < tenantIds.length; nth += AT_ONCE) {
        await Promise.all(tenantIds.slice(nth, nth + AT_ONCE).map(wake));
      }
      from = position;
      isWarned = false;
    } catch (err) {
      const event = 'event_watch_failed';
      if (!isWarned) log.warn({ event, err }, 'Events wait for reconcile to be delivered');
      isWarned = true;
    }
    await sleep(everyMs, undefined, { signal: end }).catch(() => undefined);
  }
}

/** Wakes the run that delivers a tenant's events, or starts it. */
export function createWake({ workflow }: Client): (tenantId: TenantId) => Promise<unknown> {
  return (tenantId) => {
    const { workflowType, ...wake } = deliveryWake(tenantId, []);
    return workflow.signalWithStart(workflowType, wake);
  };
}
