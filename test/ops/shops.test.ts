import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { TenantId } from '../../domain/ids.ts';
import { aRule, aTenant, aUser } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { aDelivery } from '../support/http/endpoints.ts';
import { aTill } from '../support/points/payments.ts';
import { runOpsHere } from '../support/run-ops.ts';

const { db, url } = await useDatabase();
const shops = (...args: string[]) => runOpsHere(['shops', ...args], { DATABASE_URL: url });
const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);

async function viewOf(tenantId: TenantId) {
  const { out } = await shops('--json');
  const views: { id: string }[] = JSON.parse(out);
  return views.find(({ id }) => id === tenantId);
}

it('counts the sales of a week, and why some were not credited', async () => {
  const tenantId = await aTenant(db);
  await aRule(db, tenantId);
  const email = `${randomUUID()}@example.com`;
  await aUser(db, { email });
  const ring = await aTill(db, tenantId);
  await ring({ email, createdAt: ago(1) });
  await ring({ email, createdAt: ago(2) });
  await ring({ createdAt: ago(1) });
  await ring({ email: 'nobody@example.com', createdAt: ago(1) });
  await ring({ email, createdAt: ago(8 * 24) });
  expect(await viewOf(tenantId)).toMatchObject({
    id: tenantId,
    lastHeardAt: expect.any(String),
    credited: 2,
    notCredited: { no_contacts: 1, no_match: 1 },
  });
});

it('says what is wrong with a connection, and with the deliveries', async () => {
  const tenantId = await aTenant(db);
  await aTill(db, tenantId);
  await db('pos_connections')
    .where({ tenantId })
    .update({ needsReconnectSince: ago(1) });
  await aDelivery(db, tenantId);
  await db('webhook_endpoints')
    .where({ tenantId })
    .update({ status: 'disabled', disabledReason: 'failing' });
  const { out } = await shops();
  const line = out.split('\n').find((each) => each.startsWith(tenantId));
  expect(line).toMatch(/alpha TO RECONNECT +0 +- +1 waiting, 1 DISABLED$/);
});

it('lists what needs attention first, then who was not heard for the longest', async () => {
  const never = await aTenant(db);
  const [lost, long, some, just] = [
    await aTenant(db),
    await aTenant(db),
    await aTenant(db),
    await aTenant(db),
  ];
  for (const [tenantId, hours] of [
    [lost, 0],
    [long, 99],
    [some, 48],
    [just, 0],
  ] as const) {
    await aTill(db, tenantId);
    const row = { tenantId, provider: 'alpha', receivedAt: ago(hours) };
    await db('last_events').insert(row).onConflict(['tenant_id', 'provider']).merge();
  }
  await db('pos_connections')
    .where({ tenantId: lost })
    .update({ needsReconnectSince: ago(1) });
  const { out, status } = await shops();
  const places = [long, lost, some, just, never].map((tenantId) => out.indexOf(tenantId));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect({ status, first: out.startsWith('SHOP') }).toEqual({ status: 0, first: true });
  const lineOf = (tenantId: TenantId) => out.split('\n').find((line) => line.startsWith(tenantId));
  expect(lineOf(long)).toMatch(/alpha SILENT +0 +- +ok$/);
  expect(lineOf(never)).toMatch(/none +0 +- +ok$/);
});
