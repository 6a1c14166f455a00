import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDueWorkActivities } from '../../../activities/due-work/index.ts';
import { createFailingEndpointActivities } from '../../../activities/outgoing/failing-endpoints.ts';
import * as auditLog from '../../../db/audit-log.ts';
import * as pollLeases from '../../../db/connections/poll-leases.ts';
import * as pollPositions from '../../../db/connections/poll-positions.ts';
import * as attempts from '../../../db/outgoing/attempts.ts';
import { longestWait } from '../../../db/outgoing/backlog.ts';
import { fanOut, listDueTenants } from '../../../db/outgoing/fan-out.ts';
import * as tenantStatus from '../../../db/tenants/status.ts';
import type { ConnectionId, EndpointId, TenantId } from '../../../domain/ids.ts';
import { aCredit, aTenant, aWallet, postByHand } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { anEndpoint, untilSettled } from '../../support/http/endpoints.ts';
import { connectTo } from '../../support/providers/leased-connection.ts';
import { activityDeps } from '../../support/temporal/activity-deps.ts';

const { db } = await useDatabase();
const act = { acting: auditLog.byOps(), reason: null };

let tenantId: TenantId;
beforeEach(async () => {
  tenantId = await aTenant(db);
});
const suspend = () => tenantStatus.suspend(db, tenantId, act);
const reinstate = () => tenantStatus.reinstate(db, tenantId, act);

describe('the polls of a suspended tenant', () => {
  it('stand still, and their Schedules go and come back', async () => {
    const id: ConnectionId = await connectTo(db, tenantId);
    const schedules = new Set<ConnectionId>();
    const { pollSchedules, ...deps } = activityDeps(db);
    const { doDueWork } = createDueWorkActivities({
      ...deps,
      pollSchedules: {
        ...pollSchedules,
        ensure: async (connection) => void schedules.add(connection.id),
        remove: async (connectionId) => void schedules.delete(connectionId),
      },
    });
    const lease = () => ({ connectionId: id, holder: randomUUID() });
    await doDueWork();
    expect([...schedules]).toEqual([id]);
    await suspend();
    await doDueWork();
    expect([...schedules]).toEqual([]);
    expect(await pollPositions.findPolled(db, [id])).toEqual([]);
    expect(await pollPositions.listPolled(db, { after: null, limit: 100 })).toEqual([]);
    expect(await pollLeases.takeLease(db, lease(), 'run')).toBe('gone');
    await reinstate();
    await doDueWork();
    expect([...schedules]).toEqual([id]);
    expect(await pollLeases.takeLease(db, lease(), 'run')).toMatchObject({ connection: { id } });
  });
});

describe('the deliveries of a suspended tenant', () => {
  const { disableFailingEndpoints } = createFailingEndpointActivities({ db });
  const claim = () => attempts.claim(db, tenantId, { alsoFailing: true });
  let id: EndpointId;
  beforeEach(async () => {
    const walletId = await aWallet(db, { tenantId });
    id = (await anEndpoint(db, tenantId)).id;
    const happen = () => db.transaction((tx) => postByHand(tx, [aCredit(walletId, 1)]));
    await happen();
    await untilSettled(db);
    await fanOut(db, tenantId, 100);
    await happen();
    await untilSettled(db);
  });

  it('stand still, and go on where they were', async () => {
    await suspend();
    expect(await listDueTenants(db, { after: null, limit: 100 })).not.toContain(tenantId);
    expect(await fanOut(db, tenantId, 100)).toBe(0);
    expect(await claim()).toBeUndefined();
    expect(await attempts.nextDueIn(db, tenantId)).toBeNull();
    expect(await longestWait(db)).toBe(0);
    await reinstate();
    expect(await listDueTenants(db, { after: null, limit: 100 })).toContain(tenantId);
    expect(await fanOut(db, tenantId, 100)).toBe(1);
    expect(await claim()).toMatchObject({ endpointId: id, type: 'points.adjusted' });
  });

  it('do not count as silent for the time of the suspension', async () => {
    const daysAgo = (days: number) => db.raw(`now() - interval '${days} days'`);
    const endpoint = db('webhook_endpoints').where({ id });
    const failing = { failedSince: daysAgo(20), activeSince: daysAgo(30) };
    await endpoint.clone().update({ ...failing, deliveredAt: daysAgo(14) });
    await suspend();
    await db('tenants')
      .where('id', tenantId)
      .update({ suspendedAt: daysAgo(10) });
    expect(await disableFailingEndpoints()).toBe(0);
    await reinstate();
    await reinstate();
    // It had been silent for four days before.
    expect(await disableFailingEndpoints()).toBe(0);
    await endpoint.clone().update({ activeSince: db.raw(`active_since - interval '1 day'`) });
    expect(await disableFailingEndpoints()).toBe(1);
  });

  it('begin anew for an endpoint that became active while the tenant was suspended', async () => {
    const daysAgo = (days: number) => db.raw(`now() - interval '${days} days'`);
    await suspend();
    await db('tenants')
      .where('id', tenantId)
      .update({ suspendedAt: daysAgo(10) });
    const set = { failedSince: daysAgo(1), activeSince: daysAgo(3) };
    await db('webhook_endpoints').where({ id }).update(set);
    await reinstate();
    const [{ ahead }] = await db('webhook_endpoints')
      .where({ id })
      .select(db.raw('active_since > now() as ahead'));
    expect(ahead).toBe(false);
    expect(await disableFailingEndpoints()).toBe(0);
  });
});
