import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as oauthStates from '../../../db/connections/oauth-states.ts';
import { AttemptId } from '../../../domain/ids.ts';
import { aTenant, aUser } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

async function aState(livesMs = 60_000): Promise<oauthStates.OAuthState> {
  const userId = await aUser(db, { role: 'client' });
  const state = {
    attemptId: AttemptId.parse(randomUUID()),
    tenantId: await aTenant(db, { ownerId: userId }),
    userId,
    provider: 'alpha',
  } as const;
  await oauthStates.insert(db, { ...state, expiresAt: new Date(Date.now() + livesMs) });
  return state;
}
const take = (state: oauthStates.OAuthState) => db.transaction((tx) => oauthStates.take(tx, state));

describe('take', () => {
  it('succeeds for one of ten concurrent calls, and for none after', async () => {
    const state = await aState();
    const taken = await Promise.all(Array.from({ length: 10 }, () => take(state)));
    expect(taken.filter((wasThere) => wasThere)).toHaveLength(1);
    expect(await take(state)).toBe(false);
  });

  it('refuses a nonce of another tenant, user or provider', async () => {
    const state = await aState();
    const other = await aState();
    expect(await take({ ...state, tenantId: other.tenantId })).toBe(false);
    expect(await take({ ...state, userId: other.userId })).toBe(false);
    expect(await take({ ...state, provider: 'beta' })).toBe(false);
    expect(await take(state)).toBe(true);
  });

  it('leaves the state usable when the transaction is rolled back', async () => {
    const state = await aState();
    const fails = db.transaction(async (tx) => {
      await oauthStates.take(tx, state);
      throw new Error('killed halfway');
    });
    await expect(fails).rejects.toThrow('killed halfway');
    expect(await take(state)).toBe(true);
  });
});

describe('deleteExpired', () => {
  it('deletes only expired states, up to the limit', async () => {
    await db('oauth_states').delete();
    const [alive] = [await aState(), await aState(-1), await aState(-2), await aState(-3)];
    expect(await oauthStates.deleteExpired(db, 2)).toBe(2);
    expect(await oauthStates.deleteExpired(db, 2)).toBe(1);
    expect(await oauthStates.deleteExpired(db, 2)).toBe(0);
    expect(await db('oauth_states').pluck('nonce')).toEqual([alive.attemptId]);
  });
});
