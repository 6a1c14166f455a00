import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readServiceMetrics } from '../../db/service-metrics.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aTenant,
  required,
  storedEvents,
} from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { closeEvents } from '../support/providers/events.ts';

const database = await useDatabase();
const { db } = database;

const events = (count: number) => Array.from({ length: count }, () => anAlphaEvent('M'));

describe('readServiceMetrics', () => {
  it('is all zero for an empty database', async () => {
    expect(await readServiceMetrics(db)).toEqual({
      pendingEvents: 0,
      poisonedEvents: 0,
      oldestPendingSeconds: 0,
      givenUpEvents: 0,
      pointsOwed: 0,
      eventMonthsAhead: 2,
      maintenanceSeconds: null,
      statementsSeconds: null,
      backupSeconds: null,
      activeConnections: { alpha: 0, beta: 0 },
      reconnects: { alpha: 0, beta: 0 },
      overdueWork: {
        decide_again: 0,
        match_phones: 0,
        match_signup: 0,
        push_points: 0,
        push_used_code: 0,
        read_account: 0,
        remind_of_loss: 0,
        revoke_authorization: 0,
        run_import: 0,
        tell_of_change: 0,
        tell_of_endpoint: 0,
        tell_of_gap: 0,
        tell_of_import: 0,
        tell_of_points: 0,
        tell_of_unusual: 0,
        tell_of_waiting: 0,
        tell_of_week: 0,
        update_poll_schedule: 0,
      },
    });
  });

  it('counts events that are pending, that keep failing, and that are given up', async () => {
    const merchantId = `M-${randomUUID()}`;
    const tenantId = await aTenant(db);
    await anAlphaConnection(db, { tenantId, merchantId });
    const [poisoned, failed, old, done] = await storedEvents(db, merchantId, events(4));
    await storedEvents(db, `M-${randomUUID()}`, events(1));
    await db('pending_events').where({ id: poisoned }).update({ attempts: 5 });
    await db('pending_events')
      .where({ id: failed })
      .update({
        attempts: 4,
        receivedAt: db.raw(`now() - interval '1 hour'`),
      });
    await db('pending_events')
      .where({ id: old })
      .update({
        attempts: 9,
        receivedAt: db.raw(`now() - interval '8 days'`),
      });
    await closeEvents(db, [required(done)]);
    const metrics = await readServiceMetrics(db);
    expect(metrics).toMatchObject({ pendingEvents: 2, poisonedEvents: 1, givenUpEvents: 1 });
    expect(metrics.oldestPendingSeconds).toBeGreaterThanOrEqual(3_600);
    expect(metrics.oldestPendingSeconds).toBeLessThan(3_900);
  });

  it('counts connections per provider, and those whose merchant must reconnect', async () => {
    const before = await readServiceMetrics(db);
    const connect = async () => {
      const tenantId = await aTenant(db);
      await anAlphaConnection(db, { tenantId, merchantId: `M-${randomUUID()}` });
      return tenantId;
    };
    const [, flagged, gone] = [await connect(), await connect(), await connect()];
    const needsReconnectSince = db.fn.now();
    await db('pos_connections').where({ tenantId: flagged }).update({ needsReconnectSince });
    await db('pos_connections')
      .where({ tenantId: gone })
      .update({ needsReconnectSince, status: 'disconnected' });
    const { activeConnections, reconnects } = await readServiceMetrics(db);
    expect(activeConnections.alpha - before.activeConnections.alpha).toBe(2);
    expect(reconnects).toEqual({ alpha: 1, beta: 0 });
  });
});
