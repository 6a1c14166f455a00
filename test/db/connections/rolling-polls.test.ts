import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as pollLeases from '../../../db/connections/poll-leases.ts';
import * as pollPositions from '../../../db/connections/poll-positions.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as dueWork from '../../../db/due-work.ts';
import { ConnectionId, type TenantId } from '../../../domain/ids.ts';
import { aTenant, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

// The statements of the release before this one, which runs beside it while a new one is deployed.

const CONNECT = `
  insert into pos_connections (tenant_id, pos_type, merchant_id, status, sealed_access_token,
    watermark, polled_from)
  values (:tenantId, 'alpha', :merchantId, 'active', 'token', now(), now())
  returning id`;
const TAKE = `
  update pos_connections c
  set poll_lease_run = :run, poll_lease_holder = :holder,
    poll_leased_until = now() + make_interval(secs => :seconds)
  from tenants t
  where c.id = :connectionId and t.id = c.tenant_id and c.pos_type = 'alpha'
    and c.status = 'active'
    and (c.poll_leased_until is null or c.poll_leased_until < now() or c.poll_lease_run = :run)
  returning c.tenant_id, t.country as tenant_country, coalesce(c.watermark, now()) as watermark,
    coalesce(c.polled_from, c.watermark, now()) as polled_from`;
const SAVE = `
  with held as (
    update pos_connections set watermark = greatest(watermark, least(:watermark, now()))
    where id = :connectionId and poll_lease_holder = :holder and status = 'active'
    returning id
  )
  insert into poll_positions as p (connection_id, location_id, at, payment_id, is_at_end)
  select id, :locationId, :at, :paymentId, :isAtEnd from held
  on conflict on constraint poll_positions_one_per_location do update
  set at = excluded.at, payment_id = excluded.payment_id, is_at_end = excluded.is_at_end,
    polled_at = now()
  returning p.location_id`;
const RELEASE = `
  update pos_connections
  set poll_lease_run = null, poll_lease_holder = null, poll_leased_until = null,
    last_error = case when :isNoted and needs_reconnect_since is null then :error
      else last_error end,
    last_polled_at = case when :isComplete then now() else last_polled_at end
  where id = :connectionId and poll_lease_holder = :holder`;
const FLAG = `
  update pos_connections set last_error = 'refused', needs_reconnect_since = now()
  where id = :connectionId and sealed_access_token = 'token' and status = 'active'`;
const UNFLAG = `
  update pos_connections set sealed_access_token = 'token 2', needs_reconnect_since = null
  where id = :connectionId`;
const DISCONNECT = `
  update pos_connections set status = 'disconnected', updated_at = now()
  where id = :connectionId and status = 'active'`;

const database = await useDatabase();
const { db } = database;
let tenantId: TenantId;
let connectionId: ConnectionId;
const holder = randomUUID();
beforeEach(async () => {
  tenantId = await aTenant(db);
  const { rows } = await db.raw(CONNECT, { tenantId, merchantId: `M-${randomUUID()}` });
  connectionId = ConnectionId.parse(rows[0].id);
});

const before = {
  take: async (run = 'old') =>
    (await db.raw(TAKE, { run, holder, connectionId, seconds: 60 })).rows[0],
  save: (at: Date) =>
    db.raw(SAVE, {
      connectionId,
      holder,
      watermark: at,
      locationId: 'L',
      at,
      paymentId: 'P',
      isAtEnd: true,
    }),
  release: () =>
    db.raw(RELEASE, { connectionId, holder, isNoted: true, error: null, isComplete: true }),
};
const lease = () => ({ connectionId, holder: randomUUID() });
const end = { error: null, isComplete: true, coveredPolls: 0 };
const shown = async () => required((await posConnections.list(db, tenantId, { limit: 1 }))[0]);
const soon = (ms: number) => new Date(Date.now() + ms);
const settle = async () => {
  const due = (await dueWork.take(db, 'update_poll_schedule', 1_000)).filter(
    ({ id }) => id === connectionId,
  );
  await dueWork.finish(db, 'update_poll_schedule', due);
  return due.length;
};

describe('a worker of the release before', () => {
  it('keeps a connection from a new one, which then goes on from there', async () => {
    await before.take();
    expect(await pollLeases.takeLease(db, lease(), 'new')).toBe('busy');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const sold = soon(-10);
    await before.save(sold);
    await before.release();
    const { watermark, lastPolledAt } = await shown();
    expect([watermark, lastPolledAt]).toEqual([sold, expect.any(Date)]);

    const taken = await pollLeases.takeLease(db, lease(), 'new');
    expect(taken).toMatchObject({ watermark: sold, lastPolledAt });
    expect(await pollPositions.list(db, connectionId)).toMatchObject([{ at: sold }]);
  });

  it('shows its later times after a new one has polled', async () => {
    const mine = lease();
    await pollLeases.takeLease(db, mine, 'new');
    await pollLeases.releaseLease(db, mine, end);
    const first = (await shown()).lastPolledAt;
    await before.take();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const sold = soon(-10);
    await before.save(sold);
    await before.release();
    const { watermark, lastPolledAt } = await shown();
    expect(watermark).toEqual(sold);
    expect(Number(lastPolledAt)).toBeGreaterThan(Number(first));
    expect(await pollLeases.takeLease(db, lease(), 'new')).toMatchObject({ watermark: sold });
  });

  it('starts no later than where a new one has stopped, so that it loses no sale', async () => {
    const mine = lease();
    await pollLeases.takeLease(db, mine, 'new');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const sold = soon(-10);
    const position = { at: sold, paymentId: 'P', isAtEnd: true };
    await pollPositions.save(db, mine, { locationId: 'L', position, watermark: sold });
    await pollLeases.releaseLease(db, mine, end);
    const taken = await before.take();
    expect(Number(taken.watermark)).toBeLessThanOrEqual(Number(sold));
    expect(await pollPositions.list(db, connectionId)).toMatchObject([{ at: sold }]);
  });
});

describe('changes made by the release before', () => {
  it('are due for the Schedules, each once', async () => {
    expect(await settle()).toBe(1);
    const due: number[] = [];
    for (const statement of [FLAG, FLAG, UNFLAG, DISCONNECT, DISCONNECT]) {
      await db.raw(statement, { connectionId });
      due.push(await settle());
    }
    expect(due).toEqual([1, 0, 1, 1, 0]);
  });

  it('polls and refreshed tokens are none', async () => {
    await settle();
    await before.take();
    await before.save(soon(-1));
    await before.release();
    await db('pos_connections').where({ id: connectionId }).update({ sealedAccessToken: 'new' });
    expect(await settle()).toBe(0);
  });
});
