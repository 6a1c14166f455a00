import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as auditLog from '../../db/audit-log.ts';
import * as keyRotation from '../../db/key-rotation.ts';
import { TenantId } from '../../domain/ids.ts';
import { Sealed } from '../../domain/sealed.ts';
import { anAlphaConnection, aTenant, aUser, required } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { anImport } from '../support/points/imports.ts';
import { aTill } from '../support/points/payments.ts';
import { aRedemption, expiresIn, redemptionRow } from '../support/points/redemptions.ts';

const database = await useDatabase();
const { db } = database;

const KINDS = ['connections', 'authorizations', 'codes', 'endpointSecrets'] as const;
const newKey = { notUnder: 'k2', after: null, limit: 10 } as const;
const sealed = (keyId: string) => Sealed.parse(`v1.${keyId}.${randomUUID()}`);

it('lists tokens until both are under the key, and never overwrites newer ones', async () => {
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId: 'M1' });
  await db('pos_connections')
    .where({ tenantId })
    .update({ sealedRefreshToken: sealed('k1') });
  const old = required((await keyRotation.listTokens(db, newKey))[0]);
  expect(await keyRotation.listTokens(db, { ...newKey, notUnder: 'k1' })).toEqual([]);
  const counts = (keyId: string) =>
    Promise.all(KINDS.map((kind) => keyRotation.countOld(db, kind, keyId)));
  expect(await counts('k2')).toEqual([1, 0, 0, 0]);
  expect(await counts('k1')).toEqual([0, 0, 0, 0]);

  const half = { sealedAccessToken: sealed('k2'), sealedRefreshToken: old.sealedRefreshToken };
  expect(await keyRotation.replaceTokens(db, old, half)).toBe(true);
  const [again] = await keyRotation.listTokens(db, newKey);
  expect(again).toMatchObject({ tenantId, ...half });
  expect(await keyRotation.listTokens(db, { ...newKey, after: old.id })).toEqual([]);

  // They have changed since they were read.
  expect(await keyRotation.replaceTokens(db, old, half)).toBe(false);
  const whole = { sealedAccessToken: sealed('k2'), sealedRefreshToken: null };
  expect(await keyRotation.replaceTokens(db, required(again), whole)).toBe(true);
  expect(await keyRotation.listTokens(db, newKey)).toEqual([]);
});

it('replaces issued codes as a whole, and closed ones never', async () => {
  const [issued, closed] = [await aRedemption(db), await aRedemption(db)];
  const listed = await keyRotation.listCodes(db, newKey);
  expect(listed.map(({ id }) => id).sort()).toEqual([issued.id, closed.id].sort());
  const oldOf = (id: string) => required(listed.find((row) => row.id === id));
  await db('redemptions')
    .where({ id: closed.id })
    .update({ status: 'used', usedAt: db.fn.now(), usedBy: closed.userId, sealedCode: null });

  const renewed = { keyId: 'k2', hmac: Buffer.alloc(32, 1), sealed: sealed('k2') };
  expect(await keyRotation.replaceCode(db, oldOf(closed.id), renewed)).toBe(false);
  expect(await keyRotation.replaceCode(db, oldOf(issued.id), renewed)).toBe(true);
  expect(await redemptionRow(db, issued.id)).toMatchObject({
    codeKeyId: 'k2',
    codeHmac: renewed.hmac,
    sealedCode: renewed.sealed,
    status: 'issued',
  });
  expect(await keyRotation.listCodes(db, newKey)).toEqual([]);
  const { left } = await keyRotation.countRemainder(db, 'k2');
  const none = { answers: 0, anonymousPayments: 0, importedMembers: 0, erasedPeople: 0 };
  expect(left).toEqual({ closedCodes: 1, ...none });
  await expiresIn(db, [issued.id], -60);
});

it('replaces the codes of authorizations while they wait', async () => {
  const tenantId = TenantId.parse(await aTenant(db));
  const [id, connectionId, sealedCode] = [randomUUID(), randomUUID(), sealed('k1')];
  const expiresAt = new Date(Date.now() + 60_000);
  await db('oauth_attempts').insert({
    id,
    tenantId,
    provider: 'beta',
    sealedCode,
    connectionId,
    expiresAt,
    userId: randomUUID(),
    correlationId: 'c',
    requestId: randomUUID(),
  });
  const old = required((await keyRotation.listAttempts(db, newKey))[0]);
  expect(old).toEqual({ id, tenantId, provider: 'beta', sealedCode });
  expect(await keyRotation.replaceAttempt(db, old, sealed('k2'))).toBe(true);
  expect(await keyRotation.replaceAttempt(db, old, sealed('k2'))).toBe(false);
  expect(await keyRotation.listAttempts(db, newKey)).toEqual([]);
});

describe('the remainder', () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const rotated = (keyId: string, resealed: number, createdAt: Date) =>
    db('audit_log').insert({
      ...auditLog.byOps(),
      action: 'key.rotate',
      targetType: 'key',
      before: {},
      after: { keyId, resealed },
      createdAt,
    });
  const leftOf = async (keyId: string) => (await keyRotation.countRemainder(db, keyId)).left;

  it('counts what was stored before the rotation to the key, and falls to 0 in use', async () => {
    const userId = await aUser(db);
    const answer = (createdAt: Date) =>
      db('idempotency_keys').insert({
        userId,
        method: 'POST',
        path: '/x',
        key: randomUUID(),
        requestHmac: Buffer.alloc(32),
        status: 200,
        body: '{}',
        bodySealed: false,
        createdAt,
      });
    const sell = await aTill(db, await aTenant(db));
    const anonymous = async (createdAt: Date) => {
      const id = await sell({ email: `${randomUUID()}@nobody.example`, amount: 100 });
      await db('payments').where({ id }).update({ createdAt });
    };
    await answer(daysAgo(4));
    await anonymous(daysAgo(4));
    expect(await leftOf('k7')).toMatchObject({ answers: 1, anonymousPayments: 1 });

    await rotated('k7', 12, daysAgo(3));
    for (const days of [2, 1, 0]) await answer(daysAgo(days));
    await anonymous(daysAgo(1));
    await rotated('k7', 0, daysAgo(1));
    const { left, rotatedAt } = await keyRotation.countRemainder(db, 'k7');
    expect(left).toMatchObject({ answers: 1, anonymousPayments: 1 });
    expect(rotatedAt?.toDateString()).toBe(daysAgo(3).toDateString());

    // A process that had kept the old key sealed something after the first run.
    await rotated('k7', 1, daysAgo(0.5));
    expect(await leftOf('k7')).toMatchObject({ answers: 3, anonymousPayments: 2 });

    await db('idempotency_keys').where('createdAt', '<', daysAgo(1)).delete();
    await db('payments').update({ emailFingerprint: null });
    await answer(daysAgo(0));
    expect(await leftOf('k7')).toMatchObject({ answers: 0, anonymousPayments: 0 });
  });

  it('counts imported members and erased people whom only the old key recognises', async () => {
    const tenantId = await aTenant(db);
    const imported = async (createdAt: Date, waitsUntil?: Date) => {
      const id = await anImport(db, tenantId);
      await db('imports').where({ id }).update({ createdAt });
      if (waitsUntil === undefined) return;
      await db('imports').where({ id }).update({ status: 'done', approvedAt: createdAt });
      await db('import_rows').where({ importId: id }).update({ state: 'waiting', waitsUntil });
    };
    await rotated('k11', 1, daysAgo(3));
    const waitsUntil = daysAgo(-300);
    await imported(daysAgo(4), waitsUntil);
    await imported(daysAgo(2), daysAgo(-363));
    for (const erasedAt of [daysAgo(4), daysAgo(2)]) {
      await db('erased_subjects').insert({ subjectHmac: randomBytes(32), erasedAt });
    }
    const approved = await keyRotation.countRemainder(db, 'k11');
    expect(approved.left).toMatchObject({ importedMembers: 1, erasedPeople: 1 });
    expect(approved.importsUntil).toEqual(waitsUntil);

    // It may be approved today, and its members then have a year.
    await imported(daysAgo(4));
    const drafted = await keyRotation.countRemainder(db, 'k11');
    expect(drafted.left).toMatchObject({ importedMembers: 2, erasedPeople: 1 });
    expect(Number(drafted.importsUntil)).toBeGreaterThan(Number(daysAgo(-364)));

    await db('import_rows').delete();
    await db('erased_subjects').delete();
    expect(await keyRotation.countRemainder(db, 'k11')).toMatchObject({
      left: { importedMembers: 0, erasedPeople: 0 },
      importsUntil: null,
    });
  });

  it('counts again what is under a key that was left and is used again', async () => {
    await rotated('k8', 5, daysAgo(10));
    await rotated('k9', 5, daysAgo(5));
    expect((await keyRotation.countRemainder(db, 'k8')).rotatedAt).toBeNull();
    expect((await keyRotation.countRemainder(db, 'k9')).rotatedAt).not.toBeNull();
  });

  it('forgets codes that were closed 30 days ago', async () => {
    const [recent, old] = [await aRedemption(db), await aRedemption(db)];
    const before = (await leftOf('k2')).closedCodes;
    const closed = async (id: string, days: number) => {
      const usedAt = daysAgo(days);
      const [createdAt, expiresAt] = [daysAgo(days + 0.01), daysAgo(days - 0.01)];
      await db('redemptions').where({ id }).update({ createdAt, expiresAt });
      const used = { status: 'used', usedAt, usedBy: recent.userId, sealedCode: null };
      await db('redemptions').where({ id }).update(used);
    };
    await closed(recent.id, 29);
    await closed(old.id, 31);
    expect((await leftOf('k2')).closedCodes).toBe(before + 1);
  });

  it('counts a code that expired as late as a month after it was issued', async () => {
    const { id } = await aRedemption(db);
    await expiresIn(db, [id], -60);
    const before = (await leftOf('k2')).closedCodes;
    const tx = await db.transaction();
    const { rows } = await tx.raw('select first_event_id(?) as id', [daysAgo(59)]);
    const late = {
      id: rows[0].id,
      status: 'expired',
      code_hmac: `\\x${'07'.repeat(32)}`,
      sealed_code: null,
      created_at: daysAgo(59),
      expires_at: daysAgo(58),
      expired_at: daysAgo(29),
    };
    await tx.raw(
      `insert into redemptions
       select (jsonb_populate_record(r, :late)).* from redemptions r where id = :id`,
      { id, late: JSON.stringify(late) },
    );
    const { left } = await keyRotation.countRemainder(tx, 'k2');
    await tx.rollback();
    expect(left.closedCodes).toBe(before + 1);
  });
});
