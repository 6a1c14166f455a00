import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { ConnectionId } from '../../domain/ids.ts';
import { listPaused } from '../../ops/paused-polls.ts';
import { createPollSchedules } from '../../worker/poll-schedules.ts';
import { pollScheduleId } from '../../workflows/ids.ts';
import { aBetaConnection, anAlphaConnection, aTenant } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { runOpsHere } from '../support/run-ops.ts';

const database = await useDatabase();
const { db } = database;
const temporal = await useTemporal();
const place = {
  connection: { address: temporal.address, tls: false },
  namespace: temporal.namespace,
};

async function aPolledConnection() {
  const tenantId = await aTenant(db, { name: 'Corner Café' });
  await anAlphaConnection(db, { tenantId, merchantId: randomUUID() });
  const id = ConnectionId.parse((await db('pos_connections').where({ tenantId }).first('id')).id);
  const schedules = createPollSchedules(temporal.client, () => ({ base: 300, backup: 300 }));
  await schedules.ensure({ id, tenantId, provider: 'alpha', coveredPolls: 0 });
  return { id, tenantId };
}

it('lists the connections whose polls somebody has paused, which ops shows', async () => {
  const [paused, other] = [await aPolledConnection(), await aPolledConnection()];
  await aBetaConnection(db, { tenantId: paused.tenantId, merchantId: randomUUID() });
  await temporal.client.schedule.getHandle(pollScheduleId(paused.id)).pause('By hand');
  await expect.poll(() => listPaused(place)).toEqual(new Set([paused.id]));

  const polls = async ({ tenantId }: typeof paused, address = temporal.address) => {
    const { out } = await runOpsHere(['connections', '--json', '--tenant', tenantId], {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: temporal.namespace,
    });
    const listed: { posType: string; polls: string | null }[] = JSON.parse(out);
    return Object.fromEntries(listed.map((each) => [each.posType, each.polls]));
  };
  expect(await polls(paused)).toEqual({ alpha: 'PAUSED', beta: null });
  expect(await polls(other)).toEqual({ alpha: 'on' });
  expect(await polls(other, '127.0.0.1:9')).toEqual({ alpha: 'unknown: no Temporal' });
});
