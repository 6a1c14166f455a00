import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import { ConnectionId, type TenantId } from '../../../domain/ids.ts';
import { aTenant, required, testSealer } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { setPolled } from '../../support/providers/polled-shop.ts';

const database = await useDatabase();
const { db } = database;

const seal = (token: string) =>
  testSealer.seal(token, { tenantId: 't', provider: 'alpha', field: 'access_token' });
const aMerchant = () => `M-${randomUUID()}`;

function connect(tenantId: TenantId, merchantId: string, some: object = {}) {
  return posConnections.connect(db, {
    tenantId,
    merchantId,
    provider: 'alpha',
    sealedAccessToken: seal('one'),
    sealedRefreshToken: null,
    tokenExpiresAt: null,
    ...some,
  });
}
const disconnect = (tenantId: TenantId) =>
  db('pos_connections').where({ tenantId }).update({ status: 'disconnected', lastError: 'gone' });
const flag = (id: ConnectionId) =>
  db('pos_connections').where({ id }).update({ needsReconnectSince: new Date() });
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
const setWatermark = (id: ConnectionId, watermark: Date) =>
  setPolled(db, id, { watermark, polledFrom: watermark });
const polls = async (connectionId: ConnectionId) =>
  required(await db('connection_polls').where({ connectionId }).first());
const rows = (tenantId: TenantId) => db('pos_connections').where({ tenantId });

describe('connect', () => {
  it('creates an active connection that is polled from now on', async () => {
    const [tenantId, merchantId] = [await aTenant(db), aMerchant()];
    const sealedAccessToken = seal('token');
    const tokenExpiresAt = new Date('2026-02-14T10:00:00.000Z');
    const id = await connect(tenantId, merchantId, { sealedAccessToken, tokenExpiresAt });

    const [row] = await rows(tenantId);
    expect(row).toMatchObject({ id, merchantId, status: 'active', lastError: null });
    expect((await polls(id)).watermark).toEqual(row.createdAt);
    expect(await posConnections.listActive(db, 'alpha', [tenantId])).toMatchObject([
      { id, sealedAccessToken, sealedRefreshToken: null, tokenExpiresAt },
    ]);
  });

  it('reuses the record when connecting again, and keeps how far it was polled', async () => {
    const [tenantId, merchantId] = [await aTenant(db), aMerchant()];
    const id = await connect(tenantId, merchantId);
    const watermark = daysAgo(6);
    await setWatermark(id, watermark);
    await flag(id);
    await disconnect(tenantId);

    const sealedAccessToken = seal('two');
    expect(await connect(tenantId, merchantId, { sealedAccessToken })).toBe(id);
    expect(await rows(tenantId)).toMatchObject([
      {
        id,
        status: 'active',
        sealedAccessToken,
        lastError: null,
        needsReconnectSince: null,
      },
    ]);
    expect(await polls(id)).toMatchObject({ watermark, polledFrom: watermark });
  });

  it('goes back at most seven days when connecting again', async () => {
    const [tenantId, merchantId] = [await aTenant(db), aMerchant()];
    const id = await connect(tenantId, merchantId);
    await setWatermark(id, daysAgo(30));
    await connect(tenantId, merchantId);
    const { rows } = await db.raw(
      `select now() - watermark between '7 days' and '7 days 1 minute' as is_clamped
       from connection_polls where connection_id = ?`,
      [id],
    );
    expect(rows).toEqual([{ isClamped: true }]);
  });

  it('polls another account from now on, and ends the polling of the old one', async () => {
    const tenantId = await aTenant(db);
    const id = await connect(tenantId, aMerchant());
    await setPolled(db, id, {
      watermark: daysAgo(6),
      polledFrom: daysAgo(6),
      leaseRun: 'run',
      leaseHolder: randomUUID(),
      leasedUntil: daysAgo(-1),
    });
    await db('poll_positions').insert({
      connectionId: id,
      locationId: 'L1',
      at: daysAgo(5),
      isAtEnd: false,
    });
    expect(await connect(tenantId, aMerchant())).toBe(id);
    const [row] = await rows(tenantId);
    const { updatedAt } = row;
    expect(await polls(id)).toMatchObject({
      leaseHolder: null,
      leasedUntil: null,
      watermark: updatedAt,
      polledFrom: updatedAt,
    });
    expect(await db('poll_positions').where({ connectionId: id })).toEqual([]);
  });

  it('uses the given id for a new record only', async () => {
    const tenantId = await aTenant(db);
    const [id, other] = [ConnectionId.parse(randomUUID()), ConnectionId.parse(randomUUID())];
    expect(await connect(tenantId, aMerchant(), { id })).toBe(id);
    expect(await connect(tenantId, aMerchant(), { id: other })).toBe(id);
    expect(await connect(tenantId, aMerchant(), { id })).toBe(id);
  });

  it('creates one record when ten calls run at once', async () => {
    const [tenantId, merchantId] = [await aTenant(db), aMerchant()];
    await Promise.all(Array.from({ length: 10 }, () => connect(tenantId, merchantId)));
    expect(await rows(tenantId)).toHaveLength(1);
  });

  it('refuses a merchant while another tenant is connected to it, and not after', async () => {
    const [one, two, merchantId] = [await aTenant(db), await aTenant(db), aMerchant()];
    await connect(one, merchantId);
    await expect(connect(two, merchantId)).rejects.toMatchObject({
      constraint: 'pos_connections_one_active_per_merchant',
    });
    expect(await rows(two)).toEqual([]);

    await disconnect(one);
    await connect(two, merchantId);
    await expect(connect(one, merchantId)).rejects.toMatchObject({ code: '23505' });
  });

  it('connects one of two tenants that ask for a merchant at once', async () => {
    const [one, two, merchantId] = [await aTenant(db), await aTenant(db), aMerchant()];
    const results = await Promise.allSettled([connect(one, merchantId), connect(two, merchantId)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('accepts one merchant id at both providers', async () => {
    const [tenantId, merchantId] = [await aTenant(db), aMerchant()];
    await connect(tenantId, merchantId);
    await connect(tenantId, merchantId, { provider: 'beta' });
    expect(await rows(tenantId)).toHaveLength(2);
  });
});

describe('listActive', () => {
  it('returns only active connections of that provider and those tenants', async () => {
    const [one, two, three] = [await aTenant(db), await aTenant(db), await aTenant(db)];
    for (const tenantId of [one, two, three]) await connect(tenantId, aMerchant());
    await connect(one, aMerchant(), { provider: 'beta' });
    await disconnect(two);
    const listed = await posConnections.listActive(db, 'alpha', [one, two]);
    expect(listed.map(({ tenantId, provider }) => [tenantId, provider])).toEqual([[one, 'alpha']]);
    expect(await posConnections.listActive(db, 'alpha', [])).toEqual([]);
  });
});

describe('list and findPrimary', () => {
  it('return a tenant’s connections, newest first, and the one that represents it', async () => {
    const tenantId = await aTenant(db);
    const alpha = await connect(tenantId, aMerchant());
    const beta = await connect(tenantId, aMerchant(), { provider: 'beta' });
    const foreign = await connect(await aTenant(db), aMerchant());

    const ids = async (page: Parameters<typeof posConnections.list>[2]) =>
      (await posConnections.list(db, tenantId, page)).map(({ id }) => id);
    expect(await ids({ limit: 50 })).toEqual([beta, alpha]);
    expect(await ids({ limit: 1 })).toEqual([beta]);
    expect(await ids({ limit: 50, after: beta })).toEqual([alpha]);
    // Another tenant's connection is no position: whether it is older must not show.
    expect(await ids({ limit: 50, after: foreign })).toEqual([]);

    expect(await posConnections.findPrimary(db, tenantId)).toMatchObject({ id: beta });
    await posConnections.disconnect(db, tenantId, beta);
    expect(await posConnections.findPrimary(db, tenantId)).toMatchObject({ id: alpha });
    await posConnections.disconnect(db, tenantId, alpha);
    expect(await posConnections.findPrimary(db, tenantId)).toMatchObject({ id: beta });
    expect(await posConnections.findPrimary(db, await aTenant(db))).toBeUndefined();
  });

  it('return no token', async () => {
    const tenantId = await aTenant(db);
    await connect(tenantId, aMerchant());
    const shown = await posConnections.list(db, tenantId, { limit: 1 });
    expect(JSON.stringify(shown)).not.toMatch(/v1\.k1|sealed/i);
  });
});

describe('disconnect', () => {
  it('ends it and removes its tokens, once, and only of the tenant’s own connection', async () => {
    const [tenantId, merchantId] = [await aTenant(db), aMerchant()];
    const id = await connect(tenantId, merchantId);
    const [before] = await rows(tenantId);
    const disconnecting = Array.from({ length: 5 }, () =>
      posConnections.disconnect(db, tenantId, id),
    );
    const changed = (await Promise.all(disconnecting)).filter((found) => found?.wasActive);
    expect(changed).toHaveLength(1);
    const [after] = await rows(tenantId);
    const removed = { sealedAccessToken: null, sealedRefreshToken: null };
    const { updatedAt } = after;
    expect(after).toEqual({ ...before, ...removed, status: 'disconnected', updatedAt });

    expect(await posConnections.disconnect(db, await aTenant(db), id)).toBeUndefined();
  });

  it('is the only way to have no token', async () => {
    const tenantId = await aTenant(db);
    await connect(tenantId, aMerchant());
    const forgetting = db('pos_connections')
      .where({ tenantId })
      .update({ sealedAccessToken: null });
    await expect(forgetting).rejects.toMatchObject({
      constraint: 'pos_connections_active_have_a_token',
    });
  });
});
