import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../db/connection.ts';
import { longestWait } from '../../../db/outgoing/backlog.ts';
import * as endpoints from '../../../db/outgoing/endpoints.ts';
import { fanOut, listDueTenants } from '../../../db/outgoing/fan-out.ts';
import * as positions from '../../../db/outgoing/positions.ts';
import type { EndpointId, TenantId, WalletId } from '../../../domain/ids.ts';
import { aCredit, aTenant, aWallet, postByHand, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { anEndpoint, untilSettled } from '../../support/http/endpoints.ts';
import { capture, explain, nodesOf, type Plan } from '../plans/explain.ts';

const { db, url } = await useDatabase();
let tenantId: TenantId;
let walletId: WalletId;
let endpointId: EndpointId;
beforeEach(async () => {
  await db('event_positions').delete();
  await db('webhook_deliveries').delete();
  await db('webhook_endpoints').update({ status: 'disabled' });
  tenantId = await aTenant(db);
  walletId = await aWallet(db, { tenantId });
  ({ id: endpointId } = await anEndpoint(db, tenantId));
  await moveOn();
});

async function happens(): Promise<void> {
  await db.transaction((tx) => postByHand(tx, [aCredit(walletId, 1)]));
  await untilSettled(db);
}
async function moveOn(holder = randomUUID()): Promise<TenantId[]> {
  const news = required(await positions.take(db, holder));
  await positions.moveOn(db, holder, news);
  return news.tenantIds;
}
const setStatus = (status: 'active' | 'disabled') =>
  db.transaction(async (tx) =>
    endpoints.update(tx, await endpoints.lock(tx, tenantId, endpointId), { status }),
  );
const due = (by: Db = db) => listDueTenants(by, { after: null, limit: 10 });
const removedBy = (node: Plan) =>
  node['Rows Removed by Filter'] + node['Rows Removed by Index Recheck'];

describe('the news', () => {
  it('are there from an event on until its tenant was told', async () => {
    expect(await positions.hasNews(db)).toBe(false);
    await happens();
    expect(await positions.hasNews(db)).toBe(true);
    expect(await moveOn()).toEqual([tenantId]);
    expect(await positions.hasNews(db)).toBe(false);
  });

  it('are taken by one worker at a time, and by another when its lease ends', async () => {
    await happens();
    const [slow, other] = [randomUUID(), randomUUID()];
    const news = required(await positions.take(db, slow));
    expect(await positions.take(db, other)).toBeUndefined();
    await db('event_positions').update({ takenUntil: db.fn.now() });
    const again = required(await positions.take(db, other));
    expect(again).toMatchObject({ tenantIds: [tenantId] });
    // However slow it was, they were told; those that the other one has stay taken.
    await positions.moveOn(db, slow, news);
    expect(await positions.hasNews(db)).toBe(false);
    expect(await positions.take(db, randomUUID())).toBeUndefined();
    await positions.moveOn(db, other, again);
    expect(await positions.hasNews(db)).toBe(false);
    expect(required(await positions.take(db, slow)).tenantIds).toEqual([]);
  });

  it('are there again when they were given back', async () => {
    await happens();
    const holder = randomUUID();
    await positions.take(db, holder);
    await positions.giveBack(db, holder);
    expect(await moveOn()).toEqual([tenantId]);
  });

  it('name no tenant without an active endpoint', async () => {
    await db.transaction((tx) => endpoints.remove(tx, tenantId, endpointId));
    await happens();
    expect(await moveOn()).toEqual([]);
  });
});

describe('reconcile', () => {
  it('finds a tenant that was told, but whose run was lost before it read the event', async () => {
    await happens();
    await moveOn();
    expect(await due()).toEqual([tenantId]);
    expect(await longestWait(db)).toBeGreaterThan(0);
    await fanOut(db, tenantId, 10);
    await db('webhook_deliveries').where({ endpointId }).delete();
    expect(await due()).toEqual([]);
    expect(await longestWait(db)).toBe(0);
  });

  it('finds a tenant whose run was lost before it sent the event', async () => {
    await happens();
    await moveOn();
    await fanOut(db, tenantId, 10);
    expect(await due()).toEqual([tenantId]);
  });

  it('finds what an endpoint has missed that is active again', async () => {
    await setStatus('disabled');
    await happens();
    await moveOn();
    expect(await due()).toEqual([]);
    await setStatus('active');
    expect(await due()).toEqual([tenantId]);
  });
});

describe('the tick and the gauge', () => {
  it('read no endpoint while nothing is due, however many there are', async () => {
    await db.raw(
      `with shops as (
         insert into tenants (name) select 'Shop' from generate_series(1, 1000) returning id
       )
       insert into webhook_endpoints (id, tenant_id, url)
       select gen_random_uuid(), id, 'https://shop.example' from shops`,
    );
    await happens();
    await fanOut(db, tenantId, 10);
    await db('webhook_deliveries').update({ status: 'delivered', nextAttemptAt: null });
    await moveOn();
    expect(await due()).toEqual([]);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const read of [due, longestWait] as const) {
        const statements = await capture(db, (tx) => read(tx));
        const [explained] = await explain(client, statements, 'force_custom_plan');
        const ofEndpoints = nodesOf(required(explained).plan)
          .filter((node) => node['Relation Name'] === 'webhook_endpoints')
          .map((node) => node['Actual Loops'] * (node['Actual Rows'] + removedBy(node)));
        expect(Math.max(0, ...ofEndpoints)).toBeLessThan(10);
      }
    } finally {
      await client.end();
    }
  });
});
