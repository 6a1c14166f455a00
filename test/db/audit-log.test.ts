import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as auditLog from '../../db/audit-log.ts';
import { aUser } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;
const actorUserId = await aUser(db, { role: 'admin' });

const anEntry = (some: Partial<auditLog.NewAuditEntry> = {}): auditLog.NewAuditEntry => ({
  actorUserId,
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
      { ...entry, seq: expect.any(Number), createdAt: expect.any(Date) },
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

  it('refuses an adjustment without a reason', async () => {
    await expect(insert({ action: 'wallet.adjust' })).rejects.toMatchObject({
      constraint: 'audit_log_adjustments_have_a_reason',
    });
  });
});
