import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { withAccessToken } from '../../../activities/connections/access-tokens.ts';
import {
  type AccessTokenDeps,
  ReconnectNeeded,
} from '../../../activities/connections/token-refresh.ts';
import { connect, type Db } from '../../../db/connection.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import type { Provider } from '../../../domain/payment.ts';
import { ProviderError } from '../../../gateways/providers/shared/error.ts';
import {
  type Grant,
  InvalidGrant,
  type ProviderOAuth,
} from '../../../gateways/providers/shared/oauth.ts';
import { aTenant, required, testSealer } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { unconfiguredOAuth } from '../../support/providers/oauth.ts';
import { testProviders } from '../../support/providers/providers.ts';

const database = await useDatabase();
const { db } = database;
const otherDb = connect(database.url, 10, 'loyalty-test-other');
afterAll(() => otherDb.destroy());

const DAY_MS = 24 * 3_600_000;

/** A provider that issues `access-1`, `access-2`, … and takes each refresh token once. */
class SomeProvider {
  good = { access: 'access-1', refresh: 'refresh-1' };
  isAway = false;
  refreshes = 0;
  calls: string[] = [];

  readonly oauth: ProviderOAuth = {
    ...unconfiguredOAuth.beta,
    refresh: async (refreshToken): Promise<Grant> => {
      this.refreshes++;
      // Long enough for all concurrent calls to arrive during the refresh.
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (this.isAway) throw new ProviderError('beta could not be reached.', null);
      if (refreshToken !== this.good.refresh) throw new InvalidGrant('The grant was refused.');
      const next = Number(refreshToken.split('-')[1]) + 1;
      this.good = { access: `access-${next}`, refresh: `refresh-${next}` };
      const expiresAt = new Date(Date.now() + DAY_MS);
      return {
        accessToken: this.good.access,
        refreshToken: this.good.refresh,
        expiresAt,
        merchantId: null,
      };
    },
  };

  call = async (accessToken: string): Promise<string> => {
    this.calls.push(accessToken);
    if (accessToken === this.good.access) return 'answer';
    throw new ProviderError('beta answered 401.', 401, { code: 'UNAUTHORIZED' });
  };
}

let provider: SomeProvider;
beforeEach(() => {
  provider = new SomeProvider();
});

const depsOn = (at: Db): AccessTokenDeps => ({
  db: at,
  tokenSealer: testSealer,
  providers: testProviders({ oauth: { alpha: provider.oauth, beta: provider.oauth } }),
});

async function aConnection(
  some: {
    provider?: Provider;
    access?: string;
    refresh?: string | null;
    expiresInMs?: number;
    refreshedAt?: Date;
  } = {},
): Promise<posConnections.PosConnection> {
  const {
    provider = 'beta',
    access = 'access-1',
    refresh = 'refresh-1',
    expiresInMs = DAY_MS,
  } = some;
  const tenantId = await aTenant(db);
  const seal = (token: string, field: string) =>
    testSealer.seal(token, { tenantId, provider, field });
  const id = await posConnections.connect(db, {
    tenantId,
    provider,
    merchantId: `M-${randomUUID()}`,
    sealedAccessToken: seal(access, 'access_token'),
    sealedRefreshToken: refresh === null ? null : seal(refresh, 'refresh_token'),
    tokenExpiresAt: new Date(Date.now() + expiresInMs),
  });
  if (some.refreshedAt) {
    await db('pos_connections').where({ id }).update({ tokenRefreshedAt: some.refreshedAt });
  }
  return required((await posConnections.listActive(db, provider, [tenantId]))[0]);
}
const rowOf = ({ id }: posConnections.PosConnection) => db('pos_connections').where({ id }).first();

describe('withAccessToken', () => {
  it('calls with the stored token while it is valid', async () => {
    expect(await withAccessToken(depsOn(db), await aConnection(), provider.call)).toBe('answer');
    expect(provider).toMatchObject({ calls: ['access-1'], refreshes: 0 });
  });

  it.each([
    { some: { expiresInMs: 179_000 }, because: 'it expires within 180 s' },
    { some: { expiresInMs: -DAY_MS }, because: 'it has expired' },
    { some: { refreshedAt: new Date(Date.now() - 8 * DAY_MS) }, because: 'it is a week old' },
  ])('refreshes the token first because $because', async ({ some }) => {
    const connection = await aConnection(some);
    expect(await withAccessToken(depsOn(db), connection, provider.call)).toBe('answer');
    expect(provider).toMatchObject({ calls: ['access-2'], refreshes: 1 });
    const { tokenExpiresAt, tokenRefreshedAt } = await rowOf(connection);
    expect(Number(tokenExpiresAt)).toBeGreaterThan(Date.now());
    expect(Number(tokenRefreshedAt)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('refreshes once and calls again when the token is refused', async () => {
    const connection = await aConnection({ access: 'access-0' });
    expect(await withAccessToken(depsOn(db), connection, provider.call)).toBe('answer');
    expect(provider).toMatchObject({ calls: ['access-0', 'access-2'], refreshes: 1 });
  });

  it('refreshes once for 50 concurrent calls in two processes', async () => {
    const connection = await aConnection({ access: 'access-0' });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, nth) =>
        withAccessToken(depsOn(nth % 2 === 0 ? db : otherDb), connection, provider.call),
      ),
    );
    expect(new Set(answers)).toEqual(new Set(['answer']));
    expect(provider.refreshes).toBe(1);
    expect(await rowOf(connection)).toMatchObject({ needsReconnectSince: null, lastError: null });
  });

  it('rejects 50 concurrent calls after one refused refresh', async () => {
    const connection = await aConnection({ access: 'access-0', refresh: 'refresh-0' });
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, nth) =>
        withAccessToken(depsOn(nth % 2 === 0 ? db : otherDb), connection, provider.call),
      ),
    );
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    expect(provider.refreshes).toBe(1);
  });

  it('flags the connection and throws ReconnectNeeded when the refresh is refused', async () => {
    const connection = await aConnection({ access: 'access-0', refresh: 'refresh-0' });
    const call = withAccessToken(depsOn(db), connection, provider.call);
    await expect(call).rejects.toBeInstanceOf(ReconnectNeeded);
    await expect(call).rejects.toMatchObject({ isTransient: false });
    expect(await rowOf(connection)).toMatchObject({
      status: 'active',
      needsReconnectSince: expect.any(Date),
      lastError: expect.stringContaining('The merchant must connect again: beta'),
    });
  });

  it.each(['ACCESS_TOKEN_REVOKED', 'CLIENT_DISABLED'])('no refresh after %s', async (code) => {
    const connection = await aConnection({ provider: 'alpha' });
    const refuse = () => Promise.reject(new ProviderError('alpha answered 401.', 401, { code }));
    await expect(withAccessToken(depsOn(db), connection, refuse)).rejects.toThrow(ReconnectNeeded);
    expect(provider.refreshes).toBe(0);
    expect(await rowOf(connection)).toMatchObject({
      lastError: 'The merchant must connect again: alpha no longer accepts our authorization.',
    });
  });

  it('throws when the token is refused and there is no refresh token', async () => {
    const connection = await aConnection({ access: 'access-0', refresh: null });
    const call = withAccessToken(depsOn(db), connection, provider.call);
    await expect(call).rejects.toThrow('reinstalled');
    expect(provider).toMatchObject({ calls: ['access-0'], refreshes: 0 });
  });

  it('gives up when the refreshed token is refused too', async () => {
    const connection = await aConnection();
    const refuse = () => Promise.reject(new ProviderError('beta answered 401.', 401));
    await expect(withAccessToken(depsOn(db), connection, refuse)).rejects.toThrow(ReconnectNeeded);
    expect(provider.refreshes).toBe(1);
    expect((await rowOf(connection)).needsReconnectSince).toBeInstanceOf(Date);
  });

  it('clears the flag when a call succeeds', async () => {
    const connection = await aConnection();
    const since = { needsReconnectSince: new Date(), lastError: 'Connect again.' };
    await db('pos_connections').where({ id: connection.id }).update(since);
    await withAccessToken(depsOn(db), { ...connection, ...since }, provider.call);
    expect(await rowOf(connection)).toMatchObject({ needsReconnectSince: null, lastError: null });
  });

  it('uses a valid token during an outage of the provider, but not an expired one', async () => {
    provider.isAway = true;
    const ending = await aConnection({ expiresInMs: 100_000 });
    expect(await withAccessToken(depsOn(db), ending, provider.call)).toBe('answer');
    const ended = await aConnection({ expiresInMs: -1 });
    const call = withAccessToken(depsOn(db), ended, provider.call);
    await expect(call).rejects.toMatchObject({ isTransient: true });
    for (const connection of [ending, ended]) {
      expect(await rowOf(connection)).toMatchObject({ needsReconnectSince: null });
    }
  });

  it('refreshes nothing when the merchant has disconnected meanwhile', async () => {
    const connection = await aConnection({ access: 'access-0' });
    await posConnections.disconnect(db, connection.tenantId, connection.id);
    const call = withAccessToken(depsOn(db), connection, provider.call);
    await expect(call).rejects.toThrow(ReconnectNeeded);
    expect(provider.refreshes).toBe(0);
    expect(await rowOf(connection)).toMatchObject({ lastError: null });
  });

  it('throws other failures unchanged', async () => {
    const connection = await aConnection();
    const fail = () => Promise.reject(new ProviderError('beta answered 403.', 403));
    await expect(withAccessToken(depsOn(db), connection, fail)).rejects.toThrow('403');
    expect(provider.refreshes).toBe(0);
  });
});
