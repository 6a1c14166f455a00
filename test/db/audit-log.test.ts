import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as auditLog from '../../db/audit-log.ts';
import { aTenant, aUser, aWallet } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;
const actorUserId = await aUser(db, { role: 'admin' });

const anEntry = (some: Partial<auditLog.NewAuditEntry> = {}): auditLog.NewAuditEntry => ({
  actor: 'user',
  actorUserId,
  generatedRequestId: randomUUID(),
  action: 'wallet.freeze',
  targetType: 'wallet',
  targetId: randomUUID(),
  tenantId: null,
  reason: null,
  before: { status: 'active' },
  after: { status: 'frozen' },
  requestId: 'request-1',
  ...some,
});
const insert = (some?: Partial<auditLog.NewAuditEntry>) =>
  db.transaction((tx) => auditLog.insert(tx, anEntry(some)));

describe('the audit log', () => {
  it('stores an entry as given, under the chosen id', async () => {
    const entry = anEntry({ id: randomUUID(), before: { camelCase: 1, none: null } });
    await db.transaction((tx) => auditLog.insert(tx, entry));

    expect(await auditLog.list(db, { limit: 1 })).toEqual([
      {
        ...entry,
        operator: null,
        seq: expect.any(Number),
        createdAt: expect.any(Date),
        actorEmail: expect.stringContaining('@example.com'),
        tenantName: null,
        tenantCurrency: null,
        targetUserId: null,
        targetContact: null,
      },
    ]);
  });

  it('lists entries newest first, and continues below a sequence number', async () => {
    for (const requestId of ['one', 'two', 'three']) await insert({ requestId });

    const [newest, middle] = await auditLog.list(db, { limit: 2 });
    expect([newest?.requestId, middle?.requestId]).toEqual(['three', 'two']);
    const [oldest] = await auditLog.list(db, { limit: 1, before: middle?.seq });
    expect(oldest?.requestId).toBe('one');
  });

  it('stores nothing when the transaction is rolled back', async () => {
    const requestId = randomUUID();
    const doomed = db.transaction(async (tx) => {
      await auditLog.insert(tx, anEntry({ requestId }));
      throw new Error('rolled back');
    });
    await expect(doomed).rejects.toThrow('rolled back');
    expect(await db('audit_log').where({ requestId })).toEqual([]);
  });

  it.each([
    ['update', "update audit_log set reason = 'another'"],
    ['update of no row', 'update audit_log set seq = default where false'],
    ['delete', 'delete from audit_log'],
    ['truncate', 'truncate audit_log'],
  ])('refuses every %s, also by its owner', async (_, statement) => {
    await insert();
    await expect(database.owner.raw(statement)).rejects.toThrow(/rows are never changed/);
  });

  it('finds by action, actor, target and time, which narrow the list down together', async () => {
    const other = await aUser(db, { role: 'admin' });
    const [wallet, user] = [randomUUID(), randomUUID()];
    await insert({ targetId: wallet, requestId: 'frozen' });
    await insert({ targetId: wallet, actorUserId: other, requestId: 'by another' });
    await insert({ targetId: user, targetType: 'user', action: 'user.role', requestId: 'role' });
    const found = async (filter: auditLog.AuditFilter) =>
      (await auditLog.list(db, { limit: 3, ...filter })).map(({ requestId }) => requestId);

    expect(await found({ targetId: wallet })).toEqual(['by another', 'frozen']);
    expect(await found({ actorUserId: other })).toEqual(['by another']);
    expect(await found({ action: 'user.role' })).toEqual(['role']);
    expect(await found({ targetId: wallet, action: 'user.role' })).toEqual([]);
    const [{ createdAt } = { createdAt: new Date(0) }] = await auditLog.list(db, { limit: 1 });
    const after = new Date(Number(createdAt) + 1);
    expect(await found({ targetId: user, from: createdAt, to: after })).toEqual(['role']);
    expect(await found({ targetId: user, from: after })).toEqual([]);
    expect(await found({ targetId: user, to: createdAt })).toEqual([]);
  });

  it('names whom and what an entry is about, and finds what was done to a user', async () => {
    const tenantId = await aTenant(db, { name: 'Corner Café' });
    const email = `lina-${randomUUID()}@example.com`;
    const userId = await aUser(db, { email });
    const walletId = await aWallet(db, { userId, tenantId });
    const [inviteId] = await db('invites')
      .insert({ tenantId, email: 'tom@example.com', emailStatus: 'sent', invitedBy: actorUserId })
      .returning('id');
    await insert({ targetId: userId, targetType: 'user', action: 'user.suspend' });
    await insert({ targetId: walletId, tenantId });
    await insert({ targetId: inviteId.id, targetType: 'invite', tenantId });
    await insert({ targetId: tenantId, targetType: 'tenant', tenantId });

    const whose = { targetUserId: userId, targetContact: email };
    expect(await auditLog.list(db, { limit: 4 })).toMatchObject([
      { tenantName: 'Corner Café', targetUserId: null, targetContact: null },
      { tenantName: 'Corner Café', targetUserId: null, targetContact: 'tom@example.com' },
      { tenantName: 'Corner Café', ...whose },
      { tenantName: null, ...whose },
    ]);
    expect(await auditLog.list(db, { limit: 4, targetUserId: userId })).toMatchObject([
      { targetId: walletId },
      { targetId: userId },
    ]);
    await db('users').where({ id: userId }).update({ email: null, phone: '+12125550123' });
    const [byPhone] = await auditLog.list(db, { limit: 1, targetUserId: userId });
    expect(byPhone).toMatchObject({ targetContact: '+12125550123' });
  });

  it('knows the command line as an actor, which is no user', async () => {
    const ops = auditLog.byOps('ada');
    await insert({ ...ops, action: 'key.rotate', targetType: 'key', targetId: null });
    const [entry] = await auditLog.list(db, { limit: 1 });
    expect(entry).toMatchObject({ ...ops, actor: 'ops', actorUserId: null, actorEmail: null });
    await expect(insert({ actor: 'ops' })).rejects.toMatchObject({
      constraint: 'audit_log_actor_known',
    });
    await expect(insert({ operator: 'ada' })).rejects.toMatchObject({
      constraint: 'audit_log_operator_is_ops',
    });
  });

  it('refuses an adjustment without a reason', async () => {
    await expect(insert({ action: 'wallet.adjust' })).rejects.toMatchObject({
      constraint: 'audit_log_adjustments_have_a_reason',
    });
  });
});
