import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import * as auditLog from '../../db/audit-log.ts';
import { TenantId } from '../../domain/ids.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aTenant,
  aUser,
  required,
  storedEvents,
} from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { runOpsHere } from '../support/run-ops.ts';

const database = await useDatabase();
const { db } = database;
const ops = (args: string[], env: Record<string, string> = { OPERATOR: 'ada' }) =>
  runOpsHere(args, { DATABASE_URL: database.url, ...env });
const newest = async () => (await auditLog.list(db, { limit: 1 }))[0];

describe('commands leave entries that say who ran them', () => {
  it('OPERATOR, else the login of the shell', async () => {
    const email = `${randomUUID()}@example.com`;
    await aUser(db, { email });
    await ops(['suspend', email]);
    expect(await newest()).toMatchObject({ action: 'user.suspend', operator: 'ada' });
    await ops(['reinstate', email], {});
    const operator = userInfo().username;
    expect(await newest()).toMatchObject({ action: 'user.reinstate', actor: 'ops', operator });
  });

  it('events that are replayed and dismissed, once each', async () => {
    const tenantId = await aTenant(db);
    await anAlphaConnection(db, { tenantId, merchantId: 'M7' });
    const [replayed, dismissed] = await storedEvents(db, 'M7', [
      anAlphaEvent('M7'),
      anAlphaEvent('M7'),
    ]);
    await ops(['events', 'replay', required(replayed)]);
    expect(await newest()).toMatchObject({
      action: 'event.replay',
      operator: 'ada',
      targetId: replayed,
      tenantId,
      after: { how: 'due', as: replayed },
    });

    const id = required(dismissed);
    const refused = await ops(['events', 'dismiss', id]);
    expect(refused.status).toBe(1);
    await db('pending_events')
      .where({ id })
      .update({ receivedAt: db.raw(`now() - interval '9 days'`) });
    for (const _ of [1, 2]) expect((await ops(['events', 'dismiss', id])).status).toBe(0);
    const entries = await auditLog.list(db, { limit: 9, targetId: id });
    expect(entries).toMatchObject([{ action: 'event.dismiss', tenantId, operator: 'ada' }]);
  });

  it('counts that are repaired, with both counts', async () => {
    const tenantId = await aTenant(db);
    await ops(['recount', tenantId]);
    expect(await newest()).toMatchObject({
      action: 'count.repair',
      operator: 'ada',
      targetType: 'tenant',
      targetId: tenantId,
      before: { wallets: 0, payments: 0 },
      after: { wallets: 0, payments: 0 },
    });
    await ops(['recount']);
    expect(await newest()).toMatchObject({ targetType: 'connection', targetId: null });
    const before = await newest();
    expect((await ops(['recount', TenantId.parse(randomUUID())])).status).toBe(1);
    expect(await newest()).toEqual(before);
  });
});

describe('export-audit-log', () => {
  const insert = (tx: Parameters<typeof auditLog.insert>[0], requestId: string) =>
    auditLog.insert(tx, {
      ...auditLog.byOps('ada'),
      requestId,
      action: 'key.rotate',
      targetType: 'key',
      targetId: null,
      tenantId: null,
      reason: null,
      before: {},
      after: {},
    });
  const linesOf = (out: string) =>
    out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  it('writes a line for each entry, and goes on after the last one', async () => {
    await db.transaction((tx) => insert(tx, 'first'));
    const first = await ops(['export-audit-log']);
    expect(first.status).toBe(0);
    const last = linesOf(first.out).at(-1);
    expect(last).toMatchObject({
      requestId: 'first',
      operator: 'ada',
      createdAt: expect.any(String),
    });
    expect((await ops(['export-audit-log', '--after', String(last.seq)])).out).toBe('');
    await db.transaction((tx) => insert(tx, 'second'));
    const next = linesOf((await ops(['export-audit-log', '--after', String(last.seq)])).out);
    expect(next).toMatchObject([{ requestId: 'second' }]);
    expect((await ops(['export-audit-log', '--after', 'yesterday'])).status).toBe(2);
  });

  it('passes over no entry whose transaction ends after that of a later number', async () => {
    const after = String((await newest())?.seq);
    const open = await db.transaction();
    await insert(open, 'committed last');
    await db.transaction((tx) => insert(tx, 'committed first'));
    const exporting = ops(['export-audit-log', '--after', after]);
    // The export waits for the open transaction, however long it takes.
    const isEarly = await Promise.race([exporting.then(() => true), sleepFor(300)]);
    await open.commit();
    expect(isEarly).toBe(false);
    const ids = linesOf((await exporting).out).map(({ requestId }) => requestId);
    expect(ids).toEqual(['committed last', 'committed first']);
  });
});

const sleepFor = (ms: number) =>
  new Promise<false>((resolve) => setTimeout(() => resolve(false), ms));
