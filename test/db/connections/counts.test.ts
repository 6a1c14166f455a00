import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Tx } from '../../../db/connection.ts';
import { countByProvider } from '../../../db/connections/counts.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as connectionTokens from '../../../db/connections/tokens.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

const open = new Set<Tx>();
afterEach(async () => {
  for (const tx of open) if (!tx.isCompleted()) await tx.rollback();
  open.clear();
});
const begin = async () => {
  const tx = await db.transaction();
  open.add(tx);
  return tx;
};

async function connected() {
  const [tenantId, merchantId] = [await aTenant(db), `M-${randomUUID()}`];
  await anAlphaConnection(db, { tenantId, merchantId });
  return { tenantId, provider: 'alpha', merchantId } as const;
}

const connections = (tenantId: TenantId) => db('pos_connections').where({ tenantId });
/** What the connections themselves say. */
async function truth() {
  const active = db('pos_connections').where({ status: 'active', provider: 'alpha' });
  const lost = active.clone().whereNotNull('needsReconnectSince');
  const [all, those] = [await active.select('id'), await lost.select('id')];
  return { active: all.length, reconnect: those.length };
}
async function expectTruth() {
  const { alpha, beta } = await countByProvider(db);
  expect({ alpha, beta }).toEqual({ alpha: await truth(), beta: { active: 0, reconnect: 0 } });
  return alpha;
}

describe('countByProvider', () => {
  it('counts connections from before the trigger once, also when they change first', async () => {
    const trigger = (does: 'enable' | 'disable') =>
      database.owner.raw(`alter table pos_connections ${does} trigger user`);
    await trigger('disable');
    const [first, second] = [await connected(), await connected(), await connected()];
    await connections(second.tenantId).update({ needsReconnectSince: db.fn.now() });
    await trigger('enable');

    await connections(first.tenantId).update({ status: 'disconnected' });
    await connected();
    expect(await db('connection_counts').where({ slot: 0 })).toEqual([]);
    const counts = await Promise.all([1, 2, 3, 4].map(() => countByProvider(db)));
    for (const { alpha } of counts) expect(alpha).toEqual({ active: 3, reconnect: 1 });
    await connections(second.tenantId).update({ needsReconnectSince: null });
    expect(await expectTruth()).toEqual({ active: 3, reconnect: 0 });
  });

  it('follows a connection through its life', async () => {
    const { active } = await expectTruth();
    const account = await connected();
    expect(await expectTruth()).toEqual({ active: active + 1, reconnect: 0 });
    const revoked = { ...account, revokedAt: new Date(Date.now() + 60_000) };
    await connectionTokens.flagRevoked(db, revoked, 'Revoked.');
    await connectionTokens.flagRevoked(db, revoked, 'Revoked.');
    expect(await expectTruth()).toEqual({ active: active + 1, reconnect: 1 });
    const { id } = await connections(account.tenantId).first<posConnections.PosConnection>('id');
    await posConnections.disconnect(db, account.tenantId, id);
    expect(await expectTruth()).toEqual({ active, reconnect: 0 });
    await anAlphaConnection(db, account);
    expect(await expectTruth()).toEqual({ active: active + 1, reconnect: 0 });
    await database.owner('connection_polls').where({ connectionId: id }).delete();
    await database.owner('pos_connections').where({ id }).delete();
    expect(await expectTruth()).toEqual({ active, reconnect: 0 });
  });

  it('lets no change wait for another, and forgets one that is rolled back', async () => {
    const [one, another] = [await connected(), await connected()];
    const disconnect = async (tenantId: TenantId) => {
      const tx = await begin();
      await tx.raw(`set local statement_timeout = '2s'`);
      await tx('pos_connections').where({ tenantId }).update({ status: 'disconnected' });
      return tx;
    };
    const { active } = await expectTruth();
    const [kept, undone] = [await disconnect(one.tenantId), await disconnect(another.tenantId)];
    expect(await expectTruth()).toMatchObject({ active });
    await undone.rollback();
    await kept.commit();
    expect(await expectTruth()).toMatchObject({ active: active - 1 });
  });

  it('is exact after many changes at once, in no more rows than there were changes', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, connected));
    const toggle = async (tenantId: TenantId) => {
      for (let nth = 0; nth < 5; nth++) {
        const since = nth % 2 === 0 ? db.fn.now() : null;
        await connections(tenantId).update({ needsReconnectSince: since });
      }
    };
    await Promise.all(made.map(({ tenantId }) => toggle(tenantId)));
    expect(await expectTruth()).toMatchObject({ reconnect: 20 });
    expect((await db('connection_counts')).length).toBeLessThanOrEqual(16);
  });
});
