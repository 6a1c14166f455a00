import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as tokens from '../../../db/connections/tokens.ts';
import { newId } from '../../../db/new-id.ts';
import * as endpoints from '../../../db/outgoing/endpoints.ts';
import * as events from '../../../db/outgoing/events.ts';
import { fanOut } from '../../../db/outgoing/fan-out.ts';
import * as positions from '../../../db/outgoing/positions.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { MESSAGE_DATA } from '../../../domain/webhook-data.ts';
import {
  aCredit,
  aDebit,
  anAlphaConnection,
  aRule,
  aTenant,
  aUser,
  aWallet,
  postByHand,
  required,
} from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { anEndpoint, untilSettled } from '../../support/http/endpoints.ts';
import { aRedemption, testCodes } from '../../support/points/redemptions.ts';

const { db, owner } = await useDatabase();

/** What is listed, of which each event has the data that the document says, and no more. */
async function listed(tenantId: TenantId) {
  await untilSettled(db);
  const found = required(await events.list(db, tenantId, { after: null, limit: 100 }));
  for (const { type, data } of found) MESSAGE_DATA[type].strict().parse(data);
  return found;
}

/** Takes the news as a worker does, and returns them. */
async function moveOn(): Promise<positions.News> {
  const news = required(await positions.take(db, HOLDER));
  await positions.moveOn(db, HOLDER, news);
  return news;
}
const HOLDER = randomUUID();

describe('events of a tenant', () => {
  it('are not written before its first endpoint', async () => {
    const tenantId = await aTenant(db);
    await aWallet(db, { tenantId, balance: 10 });
    expect(await listed(tenantId)).toEqual([]);
  });

  it('tell points that an administrator adjusted, with the entry as their id', async () => {
    const tenantId = await aTenant(db);
    const userId = await aUser(db);
    const walletId = await aWallet(db, { tenantId, userId, balance: 10 });
    await anEndpoint(db, tenantId);
    const [entry] = await db.transaction((tx) => postByHand(tx, [aDebit(walletId, 4)]));
    const { id } = required(entry);
    expect(await listed(tenantId)).toEqual([
      {
        id,
        type: 'points.adjusted',
        occurredAt: expect.any(Date),
        data: { walletId, userId, points: 4, balance: 6, ledgerEntryId: id, transactionId: null },
      },
    ]);
  });

  it('tell a rule, an operator, and a connection, lost once until it is active', async () => {
    const tenantId = await aTenant(db);
    await anEndpoint(db, tenantId);
    await aRule(db, tenantId, { effectiveFrom: '2030-01-01T00:00:00.000Z' });
    const userId = await aUser(db, { role: 'pos_operator' });
    await db('memberships').insert({ tenantId, userId, role: 'pos_operator' });
    const merchantId = randomUUID();
    await anAlphaConnection(db, { tenantId, merchantId });
    const [found] = await posConnections.listActive(db, 'alpha', [tenantId]);
    const connection = required(found);
    const revoked = {
      provider: 'alpha',
      merchantId,
      revokedAt: new Date(Date.now() + 9e6),
    } as const;
    await tokens.flagRevoked(db, revoked, 'Revoked.');
    await tokens.flagRevoked(db, revoked, 'Revoked.');
    await tokens.unflag(db, connection);
    await posConnections.disconnect(db, tenantId, connection.id);
    const { id: connectionId } = connection;
    const posType = 'alpha';
    expect((await listed(tenantId)).map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'rule.published',
        data: {
          ruleId: expect.any(String),
          version: 1,
          effectiveFrom: '2030-01-01T00:00:00.000Z',
        },
      },
      { type: 'operator.joined', data: { userId } },
      { type: 'connection.active', data: { connectionId, posType } },
      { type: 'connection.lost', data: { connectionId, posType, reason: 'revoked' } },
      { type: 'connection.active', data: { connectionId, posType } },
      { type: 'connection.lost', data: { connectionId, posType, reason: 'disconnected' } },
    ]);
  });

  it('continue after one of them, and not after another tenant’s', async () => {
    const tenantId = await aTenant(db);
    const walletId = await aWallet(db, { tenantId });
    await anEndpoint(db, tenantId);
    for (const points of [1, 2, 3]) {
      await db.transaction((tx) => postByHand(tx, [aCredit(walletId, points)]));
    }
    const [first, ...others] = await listed(tenantId);
    const after = required(first).id;
    expect(await events.list(db, tenantId, { after, limit: 100 })).toEqual(others);
    expect(await events.list(db, await aTenant(db), { after, limit: 1 })).toBeUndefined();
  });

  it('are passed over by nobody while an older transaction is open', async () => {
    const tenantId = await aTenant(db);
    const [slow, quick] = [await aWallet(db, { tenantId }), await aWallet(db, { tenantId })];
    await anEndpoint(db, tenantId);
    await untilSettled(db);
    const open = await db.transaction();
    await postByHand(open, [aCredit(slow, 1)]);
    await moveOn();
    await db.transaction((tx) => postByHand(tx, [aCredit(quick, 2)]));

    expect(await events.list(db, tenantId, { after: null, limit: 100 })).toEqual([]);
    expect(await fanOut(db, tenantId, 100)).toBe(0);
    expect((await moveOn()).tenantIds).toEqual([]);

    await open.commit();
    const found = await listed(tenantId);
    expect(found.map(({ data }) => data)).toEqual([
      expect.objectContaining({ points: 1 }),
      expect.objectContaining({ points: 2 }),
    ]);
    expect(await fanOut(db, tenantId, 100)).toBe(2);
    expect(await fanOut(db, tenantId, 100)).toBe(0);
    expect((await moveOn()).tenantIds).toEqual([tenantId]);
    expect((await moveOn()).tenantIds).toEqual([]);
  });

  it('of a transaction that was open when an endpoint was made are its events, too', async () => {
    const tenantId = await aTenant(db);
    const wallets = [await aWallet(db, { tenantId }), await aWallet(db, { tenantId })];
    const [slow, quick] = [required(wallets[0]), required(wallets[1])];
    await anEndpoint(db, tenantId);
    const open = await db.transaction();
    await postByHand(open, [aCredit(slow, 1)]);
    await db.transaction((tx) => postByHand(tx, [aCredit(quick, 2)]));
    const { id } = await anEndpoint(db, tenantId);
    await open.commit();
    await untilSettled(db);
    await fanOut(db, tenantId, 100);
    const made = await db('webhook_deliveries as d')
      .join('tenant_events as e', 'e.id', 'd.eventId')
      .where('d.endpointId', id)
      .select('e.data');
    expect(made.map(({ data }) => data.points)).toEqual([1]);
  });

  it('are deleted after 30 days with their deliveries, and cannot be continued after', async () => {
    const tenantId = await aTenant(db);
    await anEndpoint(db, tenantId);
    // Not of points, which the verification compares with their entries, as old as these are.
    for (const _ of [1, 2]) await aRule(db, tenantId);
    const [old, young] = await listed(tenantId);
    expect(await fanOut(db, tenantId, 100)).toBe(2);
    const { id } = required(old);
    await db('tenant_events')
      .where({ id })
      .update({ occurredAt: db.raw(`now() - interval '31 days'`) });
    expect(await events.list(db, tenantId, { after: id, limit: 10 })).toBeUndefined();
    while ((await events.deleteOld(db, 100)) > 0);
    expect(await listed(tenantId)).toEqual([young]);
    expect(await db('webhook_deliveries').where({ eventId: id })).toEqual([]);
  });
});

describe('a redemption', () => {
  it('is told when it is issued and used, without the points it moves', async () => {
    const tenantId = await aTenant(db);
    await anEndpoint(db, tenantId);
    const walletId = await aWallet(db, { tenantId, balance: 100 });
    const { id, code } = await aRedemption(db, { walletId, points: 7 });
    const operatorId = await aUser(db);
    const hmacs = testCodes.hmacsOf(code);
    await db.transaction((tx) => redemptions.burn(tx, { tenantId, hmacs, operatorId }));
    const told = (await listed(tenantId)).filter(({ type }) => type.startsWith('redemption.'));
    const data = {
      redemptionId: id,
      walletId,
      points: 7,
      discountValueMinorUnits: 7,
      currency: null,
      cancelled: false,
      reward: null,
    };
    expect(told.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: 'redemption.issued', data },
      { type: 'redemption.used', data },
    ]);
  });
});

describe('an endpoint', () => {
  it('is refused as the eleventh', async () => {
    const tenantId = await aTenant(db);
    for (let nth = 0; nth < endpoints.MAX_ENDPOINTS; nth++) await anEndpoint(db, tenantId);
    await expect(anEndpoint(db, tenantId)).rejects.toMatchObject({
      issues: [{ code: 'too_many_endpoints' }],
    });
  });

  it('gets ids from the database that are of version 7 and ascend', async () => {
    const { rows } = await owner.raw<{ rows: { id: string }[] }>(
      'select new_row_id() as id from generate_series(1, 3), pg_sleep(0.002)',
    );
    for (const { id } of rows) expect(id).toMatch(/^.{14}7.{4}[89ab]/);
    expect(rows.map(({ id }) => id.slice(0, 8))).toEqual(rows.map(() => newId().slice(0, 8)));
  });
});
