import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as oauthAttempts from '../../../db/connections/oauth-attempts.ts';
import { AttemptId, ConnectionId, type TenantId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant, aUser, testSealer } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

const sealedCode = testSealer.seal('the-code', { tenantId: 't', provider: 'alpha', field: 'f' });
const someConnection = () => ConnectionId.parse(randomUUID());

async function anAttempt(tenantId?: TenantId): Promise<oauthAttempts.NewAttempt> {
  const attempt: oauthAttempts.NewAttempt = {
    id: AttemptId.parse(randomUUID()),
    tenantId: tenantId ?? (await aTenant(db)),
    provider: 'alpha',
    claimedMerchantId: 'M1',
    sealedCode,
    startedBy: { userId: await aUser(db), correlationId: 'the-request', requestId: randomUUID() },
  };
  await db.transaction((tx) => oauthAttempts.insert(tx, attempt));
  return attempt;
}
const rowOf = (id: AttemptId) => db('oauth_attempts').where({ id }).first();
const succeed = (id: AttemptId, connectionId: ConnectionId) =>
  db.transaction((tx) => oauthAttempts.settleConnected(tx, id, connectionId));
const expire = (id: AttemptId, minutes = 0) =>
  db('oauth_attempts')
    .where({ id })
    .update({ expiresAt: db.raw(`now() - make_interval(mins => ?)`, [minutes]) });

describe('insert', () => {
  it('returns the tenant’s existing connection, or a new one', async () => {
    const [connected, other] = [await aTenant(db), await aTenant(db)];
    await anAlphaConnection(db, { tenantId: connected, merchantId: `M-${randomUUID()}` });
    const present = await db('pos_connections').where({ tenantId: connected }).first('id');
    expect(await rowOf((await anAttempt(connected)).id)).toMatchObject({
      connectionId: present.id,
    });
    const { connectionId } = await rowOf((await anAttempt(other)).id);
    expect(await db('pos_connections').where({ id: connectionId })).toEqual([]);
  });

  it('refuses an attempt that is stored already: another used its state', async () => {
    const attempt = await anAttempt();
    const again = db.transaction((tx) => oauthAttempts.insert(tx, attempt));
    await expect(again).rejects.toMatchObject({ code: '23505' });
  });
});

describe('take', () => {
  it('returns the code to one of ten concurrent calls, and leaves no code behind', async () => {
    const attempt = await anAttempt();
    const taken = await Promise.all(
      Array.from({ length: 10 }, () => oauthAttempts.take(db, attempt.id)),
    );
    expect(taken.filter((item) => item !== undefined)).toEqual([
      { ...attempt, connectionId: expect.any(String) },
    ]);
    expect(await rowOf(attempt.id)).toMatchObject({ status: 'exchanging', sealedCode: null });
  });

  it('returns no code of an attempt that has expired or failed', async () => {
    const [late, cancelled] = [await anAttempt(), await anAttempt()];
    await expire(late.id);
    await oauthAttempts.settle(db, cancelled.id, { otherwise: { error: 'exchange_failed' } });
    expect(await oauthAttempts.take(db, late.id)).toBeUndefined();
    expect(await oauthAttempts.take(db, cancelled.id)).toBeUndefined();
  });
});

describe('succeed and settle', () => {
  it('keep the first outcome', async () => {
    const [one, two] = [await anAttempt(), await anAttempt()];
    const connectionId = someConnection();
    for (const { id } of [one, two]) await oauthAttempts.take(db, id);

    expect(await succeed(one.id, connectionId)).toBe(true);
    expect(
      await oauthAttempts.settle(db, one.id, { otherwise: { error: 'exchange_failed' } }),
    ).toEqual({
      connected: true,
      connectionId,
    });

    const given = { connected: false, error: 'merchant_taken' };
    expect(
      await oauthAttempts.settle(db, two.id, { otherwise: { error: 'merchant_taken' } }),
    ).toEqual(given);
    expect(await succeed(two.id, connectionId)).toBe(false);
    expect(
      await oauthAttempts.settle(db, two.id, { otherwise: { error: 'exchange_failed' } }),
    ).toEqual(given);
  });

  it('agree on one outcome when they run at once', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await anAttempt();
      await oauthAttempts.take(db, id);
      const [hasSucceeded, outcome] = await Promise.all([
        succeed(id, someConnection()),
        oauthAttempts.settle(db, id, { otherwise: { error: 'exchange_failed' } }),
      ]);
      expect(outcome.connected).toBe(hasSucceeded);
    }
  });

  it('refuse a success that comes too late', async () => {
    const { id } = await anAttempt();
    await oauthAttempts.take(db, id);
    await expire(id);
    expect(await succeed(id, someConnection())).toBe(false);
  });

  it('delete the code of a failed attempt, and report failure for an unknown one', async () => {
    const { id } = await anAttempt();
    await oauthAttempts.settle(db, id, { otherwise: { error: 'exchange_failed' } });
    expect(await rowOf(id)).toMatchObject({ status: 'failed', sealedCode: null });
    const unknown = AttemptId.parse(randomUUID());
    expect(
      await oauthAttempts.settle(db, unknown, { otherwise: { error: 'exchange_failed' } }),
    ).toEqual({
      connected: false,
      error: 'exchange_failed',
    });
  });
});

describe('deleteOld', () => {
  it('deletes only attempts that expired an hour ago or earlier', async () => {
    await db('oauth_attempts').delete();
    const [fresh, over] = [await anAttempt(), await anAttempt(), await anAttempt()];
    await expire(over.id, 5);
    await db('oauth_attempts')
      .whereNotIn('id', [fresh.id, over.id])
      .update({
        expiresAt: db.raw(`now() - interval '61 minutes'`),
      });
    expect(await oauthAttempts.deleteExpired(db, 10)).toBe(1);
    expect((await db('oauth_attempts').pluck('id')).sort()).toEqual([fresh.id, over.id].sort());
  });
});
