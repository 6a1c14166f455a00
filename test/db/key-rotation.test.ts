import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import * as keyRotation from '../../db/key-rotation.ts';
import { TenantId } from '../../domain/ids.ts';
import { Sealed } from '../../domain/sealed.ts';
import { anAlphaConnection, aTenant, required } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { aRedemption, expiresIn, redemptionRow } from '../support/redemptions.ts';

const database = await useDatabase();
const { db } = database;

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
  expect(await keyRotation.countRemainder(db, 'k2')).toEqual({
    closedCodes: 1,
    answers: 0,
    anonymousPayments: 0,
  });
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
  });
  const old = required((await keyRotation.listAttempts(db, newKey))[0]);
  expect(old).toEqual({ id, tenantId, provider: 'beta', sealedCode });
  expect(await keyRotation.replaceAttempt(db, old, sealed('k2'))).toBe(true);
  expect(await keyRotation.replaceAttempt(db, old, sealed('k2'))).toBe(false);
  expect(await keyRotation.listAttempts(db, newKey)).toEqual([]);
});
