import { describe, expect, it } from 'vitest';
import { haveProbed } from '../../../../db/connections/availability.ts';
import { newId } from '../../../../db/new-id.ts';
import { aBetaConnection, anAlphaConnection, aTenant } from '../../../support/factories.ts';
import { useApp } from '../../../support/fixtures.ts';

const app = await useApp();
const { db } = app;
const token = (await app.signIn({ role: 'admin' })).token;

const health = async () => {
  const { status, body } = await app.call({ path: '/api/v1/admin/health', token });
  expect(status).toBe(200);
  return body;
};
const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
const within = (seconds: number) => expect.closeTo(seconds, -2);
const hoursAgo = (hours: number) => db.raw(`now() - interval '${hours} hours'`);

async function aShop(name: string, changes: object) {
  const tenantId = await aTenant(db, { name });
  await anAlphaConnection(db, { tenantId, merchantId: `M-${newId()}` });
  await db('pos_connections').where({ tenantId }).update(changes);
  return tenantId;
}

describe('GET /admin/health', () => {
  it('200 with nothing wrong', async () => {
    expect(await health()).toMatchObject({
      postgres: true,
      temporal: true,
      connections: { lost: [], away: [], unpolled: [] },
      events: { pending: 0, oldestPendingSeconds: 0, poisoned: 0, givenUp: 0 },
      webhooks: { waitSeconds: 0, failing: [] },
      backups: null,
      ledger: { problems: 0 },
    });
  });

  it('200 with how old the backups are, and what of them is too old', async () => {
    await db.raw(`select record_backup('log', now() - interval '1 minute')`);
    await db.raw(`select record_backup('copy', now() - interval '2 days')`);
    expect(await health()).toMatchObject({
      backups: {
        logSeconds: within(60),
        copySeconds: within(2 * 86_400),
        checkSeconds: within(60),
        aged: ['copy'],
      },
    });
  });

  it('200 with the shops whose connections bring no sales, each under one heading', async () => {
    const lost = await aShop('Lost', { needsReconnectSince: hoursAgo(2), askAgainAt: hoursAgo(1) });
    const away = await aShop('Away', { askAgainAt: hoursAgo(-1), awayAt: hoursAgo(1) });
    const late = await aShop('Late', { updatedAt: hoursAgo(9) });
    const fine = await aShop('Fine', { updatedAt: hoursAgo(9) });
    await aShop('Gone', { status: 'disconnected', needsReconnectSince: hoursAgo(2) });
    const rare = await aShop('Rare', { updatedAt: hoursAgo(9) });
    const closed = await aShop('Closed', { updatedAt: hoursAgo(9) });
    await db('tenants').where({ id: closed }).update({ suspendedAt: new Date() });
    const polled = async (tenantId: string, hours: number, coveredPolls = 0) => {
      const { id } = await db('pos_connections').where({ tenantId }).first('id');
      const times = { watermark: hoursAgo(hours), polledFrom: hoursAgo(hours) };
      await db('connection_polls')
        .insert({ connectionId: id, ...times, lastPolledAt: hoursAgo(hours), coveredPolls })
        .onConflict('connection_id')
        .merge();
    };
    for (const tenantId of [lost, away, late]) await polled(tenantId, 3);
    await polled(fine, 2);
    await polled(rare, 8, 27);
    await polled(closed, 8);
    const named = (tenantId: string, tenantName: string) => [
      { tenantId, tenantName, posType: 'alpha', since },
    ];
    expect(await health()).toMatchObject({
      connections: {
        lost: named(lost, 'Lost'),
        away: named(away, 'Away'),
        unpolled: named(late, 'Late'),
      },
    });
  });

  it.each([
    ['never', { awayAt: null }],
    ['weeks ago', { awayAt: hoursAgo(500) }],
  ])('200 without one that is to be asked whether it was left, and was away %s', async (_, was) => {
    const tenantId = await aTenant(db, { name: 'Asked' });
    const merchantId = `M-${newId()}`;
    await aBetaConnection(db, { tenantId, merchantId });
    await db('pos_connections').where({ tenantId }).update(was);
    await haveProbed(db, { provider: 'beta', merchantId, revokedAt: new Date() });
    const { askAgainAt } = await db('pos_connections').where({ tenantId }).first();
    expect(askAgainAt).not.toBeNull();
    expect(JSON.stringify(await health())).not.toContain(tenantId);
  });

  it('200 with failing endpoints, overdue work and problems of the ledger', async () => {
    const tenantId = await aTenant(db, { name: 'Receiver' });
    const endpoint = { tenantId, url: 'https://shop.example/' };
    const [failing, deleted] = [newId(), newId()];
    await db('webhook_endpoints').insert([
      { id: failing, ...endpoint, failedSince: hoursAgo(5) },
      { id: newId(), ...endpoint, failedSince: null },
      { id: deleted, ...endpoint, failedSince: hoursAgo(5), deletedAt: hoursAgo(1) },
    ]);
    const work = { kind: 'tell_of_unusual', subjectId: tenantId };
    await db('due_work').insert({ ...work, dueAt: hoursAgo(1) });
    const problem = { walk: 'wallets', rowId: newId() };
    await db('ledger_problems').insert(problem);
    const shown = await health();
    await db('due_work').where(work).delete();
    await db('ledger_problems').where(problem).delete();
    expect(shown).toMatchObject({
      webhooks: {
        failing: [
          { endpointId: failing, tenantId, tenantName: 'Receiver', isDisabled: false, since },
        ],
      },
      overdueWork: expect.arrayContaining([
        { kind: 'tell_of_unusual', seconds: expect.closeTo(3_600, -2) },
      ]),
      ledger: { problems: 1 },
    });
  });
});
