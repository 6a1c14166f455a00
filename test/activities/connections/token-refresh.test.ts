import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AccessTokenDeps,
  ReconnectNeeded,
  refreshed,
} from '../../../activities/connections/token-refresh.ts';
import { connect, type Db } from '../../../db/connection.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as connectionTokens from '../../../db/connections/tokens.ts';
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

/** How the provider answers a refresh; a test replaces it. */
let answer: () => Promise<Grant>;
let refreshes: number;
beforeEach(() => {
  refreshes = 0;
  answer = async () => ({
    accessToken: `access-${randomUUID()}`,
    refreshToken: 'refresh-2',
    expiresAt: null,
    merchantId: null,
  });
});
const oauth: ProviderOAuth = {
  ...unconfiguredOAuth.beta,
  refresh: () => {
    refreshes += 1;
    return answer();
  },
};
const depsOn = (at: Db): AccessTokenDeps => ({
  db: at,
  tokenSealer: testSealer,
  providers: testProviders({ oauth: { alpha: oauth, beta: oauth } }),
});
const hangs = () => {
  let go = (_: Grant | Error) => {};
  const asked = new Promise<Grant>((resolve, reject) => {
    go = (result) => (result instanceof Error ? reject(result) : resolve(result));
  });
  answer = () => asked;
  return go;
};

async function aConnection(): Promise<posConnections.PosConnection> {
  const tenantId = await aTenant(db);
  const seal = (token: string, field: string) =>
    testSealer.seal(token, { tenantId, provider: 'beta', field });
  await posConnections.connect(db, {
    tenantId,
    provider: 'beta',
    merchantId: `M-${randomUUID()}`,
    sealedAccessToken: seal('access-1', 'access_token'),
    sealedRefreshToken: seal('refresh-1', 'refresh_token'),
    tokenExpiresAt: new Date(Date.now() + 60_000),
  });
  return required((await posConnections.listActive(db, 'beta', [tenantId]))[0]);
}
const rowOf = ({ id }: posConnections.PosConnection) => db('pos_connections').where({ id }).first();
const refreshIsAsked = () => expect.poll(() => refreshes).toBe(1);

describe('a refresh whose provider hangs', () => {
  it('holds no database connection and no lock, in a pool of one', async () => {
    const narrow = connect(database.url, 1, 'loyalty-test-narrow');
    try {
      const connection = await aConnection();
      const go = hangs();
      const refreshing = refreshed(depsOn(narrow), connection, 'needed');
      await refreshIsAsked();
      await narrow.raw(`select 1 from pos_connections where id = ? for update nowait`, [
        connection.id,
      ]);
      go(new ProviderError('beta could not be reached.', null));
      await expect(refreshing).rejects.toMatchObject({ isTransient: true });
    } finally {
      await narrow.destroy();
    }
  });

  it('keeps nobody waiting whose token is still valid, also once it has failed', async () => {
    const connection = await aConnection();
    const other = connect(database.url, 2, 'loyalty-test-other');
    try {
      const go = hangs();
      const first = refreshed(depsOn(db), connection, 'due');
      await refreshIsAsked();
      const start = performance.now();
      await expect(refreshed(depsOn(other), connection, 'due')).rejects.toThrow('being refreshed');
      expect(performance.now() - start).toBeLessThan(5_000);
      go(new ProviderError('beta could not be reached.', null));
      await expect(first).rejects.toThrow('reached');
      await expect(refreshed(depsOn(other), connection, 'due')).rejects.toThrow('being refreshed');
      expect(refreshes).toBe(1);
    } finally {
      await other.destroy();
    }
  });

  it('keeps those waiting who need it, who then get its tokens', async () => {
    const connection = await aConnection();
    const other = connect(database.url, 2, 'loyalty-test-other');
    try {
      const go = hangs();
      const first = refreshed(depsOn(db), connection, 'needed');
      await refreshIsAsked();
      const second = refreshed(depsOn(other), connection, 'needed');
      go({ accessToken: 'access-2', refreshToken: 'refresh-2', expiresAt: null, merchantId: null });
      const [one, two] = await Promise.all([first, second]);
      expect(two.sealedAccessToken).toBe(one.sealedAccessToken);
      expect(refreshes).toBe(1);
    } finally {
      await other.destroy();
    }
  });
});

describe('a refresh that was killed', () => {
  it('is repeated by the next caller once its claim has ended', async () => {
    const connection = await aConnection();
    const killed = { id: connection.id, holder: randomUUID() };
    expect(await connectionTokens.claimRefresh(db, connection, killed)).toBe(true);
    await db('pos_connections')
      .where({ id: connection.id })
      .update({ refreshingUntil: db.raw(`now() + interval '300 ms'`) });
    const { sealedRefreshToken } = await refreshed(depsOn(db), connection, 'needed');
    expect(sealedRefreshToken).not.toBe(connection.sealedRefreshToken);
    expect(refreshes).toBe(1);
  });
});

describe('tokens that the provider has replaced', () => {
  it('are stored although Postgres was away for a moment', async () => {
    const connection = await aConnection();
    let failures = 2;
    const flaky = new Proxy(db, {
      apply(target, self, args) {
        const query = Reflect.apply(target, self, args);
        const update = query.update.bind(query);
        query.update = (values: object) => {
          if ('sealedAccessToken' in values && failures-- > 0) throw new Error('ECONNREFUSED');
          return update(values);
        };
        return query;
      },
    });
    const renewed = await refreshed(depsOn(flaky), connection, 'needed');
    expect((await rowOf(connection)).sealedAccessToken).toBe(renewed.sealedAccessToken);
    expect(failures).toBeLessThan(1);
  });

  it('are stored although another process was refused meanwhile', async () => {
    const connection = await aConnection();
    const go = hangs();
    const refreshing = refreshed(depsOn(db), connection, 'needed');
    await refreshIsAsked();
    await connectionTokens.flag(db, connection, 'refused');
    go({ accessToken: 'access-2', refreshToken: 'refresh-2', expiresAt: null, merchantId: null });
    await refreshing;
    expect(await rowOf(connection)).toMatchObject({ needsReconnectSince: null, lastError: null });
  });

  it('are used by a process that was refused because another was faster', async () => {
    const connection = await aConnection();
    const go = hangs();
    const refreshing = refreshed(depsOn(db), connection, 'needed');
    await refreshIsAsked();
    const { tenantId, provider } = connection;
    const sealedAccessToken = testSealer.seal('access-2', {
      tenantId,
      provider,
      field: 'access_token',
    });
    const faster = { id: connection.id, holder: randomUUID() };
    await connectionTokens.store(db, connection, faster, {
      sealedAccessToken,
      sealedRefreshToken: null,
      tokenExpiresAt: null,
    });
    go(new InvalidGrant('The grant was refused.'));
    expect((await refreshing).sealedAccessToken).toBe(sealedAccessToken);
    expect(await rowOf(connection)).toMatchObject({ needsReconnectSince: null });
  });

  it('do not replace those of a merchant who has connected again meanwhile', async () => {
    const connection = await aConnection();
    const go = hangs();
    const refreshing = refreshed(depsOn(db), connection, 'needed');
    await refreshIsAsked();
    const { tenantId, provider } = connection;
    const binding = { tenantId, provider, field: 'access_token' };
    const sealedAccessToken = testSealer.seal('new', binding);
    await posConnections.connect(db, { ...connection, sealedAccessToken });
    go({ accessToken: 'access-2', refreshToken: 'refresh-2', expiresAt: null, merchantId: null });
    expect((await refreshing).sealedAccessToken).toBe(sealedAccessToken);
    expect((await rowOf(connection)).sealedAccessToken).toBe(sealedAccessToken);
  });
});

it('gives no token of another account that was connected meanwhile', async () => {
  const connection = await aConnection();
  const { tenantId, provider } = connection;
  const binding = { tenantId, provider, field: 'access_token' };
  const sealedAccessToken = testSealer.seal('of another account', binding);
  const merchantId = `M-${randomUUID()}`;
  await posConnections.connect(db, { ...connection, merchantId, sealedAccessToken });
  await expect(refreshed(depsOn(db), connection, 'needed')).rejects.toThrow(ReconnectNeeded);
});

describe('a connection that cannot be refreshed', () => {
  it('throws ReconnectNeeded when its merchant has disconnected', async () => {
    const connection = await aConnection();
    await posConnections.disconnect(db, connection.tenantId, connection.id);
    await expect(refreshed(depsOn(db), connection, 'needed')).rejects.toThrow(ReconnectNeeded);
    expect(refreshes).toBe(0);
  });
});
