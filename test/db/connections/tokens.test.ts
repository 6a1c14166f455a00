import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as connectionTokens from '../../../db/connections/tokens.ts';
import { anAlphaConnection, aTenant, required, testSealer } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

let connection: posConnections.PosConnection;
beforeEach(async () => {
  const tenantId = await aTenant(db);
  await anAlphaConnection(db, { tenantId, merchantId: `M-${randomUUID()}` });
  connection = required((await posConnections.listActive(db, 'alpha', [tenantId]))[0]);
});

const now = async () => db('pos_connections').where({ id: connection.id }).first();
const seal = (token: string) =>
  testSealer.seal(token, {
    tenantId: connection.tenantId,
    provider: 'alpha',
    field: 'access_token',
  });
const someTokens = () => ({
  sealedAccessToken: seal('new'),
  sealedRefreshToken: seal('new too'),
  tokenExpiresAt: new Date('2030-01-15T10:00:00.000Z'),
});
const aRefresh = () => ({ id: connection.id, holder: randomUUID() });
const store = (tokens: connectionTokens.NewTokens, refresh = aRefresh()) =>
  connectionTokens.store(db, connection, refresh, tokens);

describe('flag and unflag', () => {
  it('record since when the merchant must reconnect, and clear it', async () => {
    await connectionTokens.flag(db, connection, 'Connect again.');
    const first = await now();
    expect(first).toMatchObject({
      lastError: 'Connect again.',
      needsReconnectSince: expect.any(Date),
      status: 'active',
    });
    await connectionTokens.flag(db, connection, 'Connect again.');
    expect((await now()).needsReconnectSince).toEqual(first.needsReconnectSince);

    await connectionTokens.unflag(db, connection);
    expect(await now()).toMatchObject({ lastError: null, needsReconnectSince: null });
  });

  it('leave a connection as it is whose tokens were replaced in the meantime', async () => {
    await store(someTokens());
    await connectionTokens.flag(db, connection, 'Connect again.');
    expect(await now()).toMatchObject({ lastError: null, needsReconnectSince: null });
  });

  it('leave a disconnected connection and another error as they are', async () => {
    await db('pos_connections')
      .where({ id: connection.id })
      .update({ status: 'disconnected', lastError: 'alpha answered 500.' });
    await connectionTokens.flag(db, connection, 'Connect again.');
    await connectionTokens.unflag(db, connection);
    expect(await now()).toMatchObject({ lastError: 'alpha answered 500.' });
  });
});

describe('store', () => {
  it('stores new tokens and their time, and clears the flag', async () => {
    await db('pos_connections').update({ tokenRefreshedAt: new Date(0) });
    await connectionTokens.flag(db, connection, 'Connect again.');
    const tokens = someTokens();
    expect(await store(tokens)).toMatchObject({ ...tokens, needsReconnectSince: null });
    const row = await now();
    expect(row).toMatchObject({ ...tokens, lastError: null, needsReconnectSince: null });
    expect(row.tokenRefreshedAt.getTime()).toBeGreaterThan(0);
  });

  it('stores them although the claim has ended or the old ones were sealed again', async () => {
    const [late, rotated] = [aRefresh(), aRefresh()];
    await connectionTokens.claimRefresh(db, connection, late);
    await connectionTokens.flag(db, connection, 'Another process was refused meanwhile.');
    expect(await store(someTokens(), late)).toMatchObject({ needsReconnectSince: null });

    connection = required(await connectionTokens.current(db, connection.id));
    await connectionTokens.claimRefresh(db, connection, rotated);
    await db('pos_connections').update({ sealedAccessToken: seal('the same, sealed again') });
    expect(await store(someTokens(), rotated)).toBeDefined();
  });

  it('stores nothing when the merchant has connected again meanwhile', async () => {
    const refresh = aRefresh();
    await connectionTokens.claimRefresh(db, connection, refresh);
    await anAlphaConnection(db, connection);
    const { sealedAccessToken } = await now();
    expect(await store(someTokens(), refresh)).toBeUndefined();
    expect((await now()).sealedAccessToken).toBe(sealedAccessToken);
  });

  it('stores nothing once the account was disconnected, whose tokens are gone', async () => {
    const refresh = aRefresh();
    await connectionTokens.claimRefresh(db, connection, refresh);
    await posConnections.disconnect(db, connection.tenantId, connection.id);
    expect(await store(someTokens(), refresh)).toBeUndefined();
    expect(await now()).toMatchObject({ sealedAccessToken: null, sealedRefreshToken: null });
  });

  it('keeps the error of a poll', async () => {
    await db('pos_connections').where({ id: connection.id }).update({ lastError: 'no answer' });
    await store(someTokens());
    expect(await now()).toMatchObject({ lastError: 'no answer' });
  });
});

describe('claimRefresh', () => {
  const claim = () => connectionTokens.claimRefresh(db, connection, aRefresh());

  it('gives the refresh to one of many callers, and locks no row', async () => {
    const claims = await Promise.all(Array.from({ length: 8 }, claim));
    expect(claims.filter((isMine) => isMine)).toHaveLength(1);
    await db.raw(`select 1 from pos_connections where id = ? for update nowait`, [connection.id]);
  });

  it('gives it to the next caller once it was given up or has ended', async () => {
    const refresh = aRefresh();
    await connectionTokens.claimRefresh(db, connection, refresh);
    await connectionTokens.dropRefresh(db, aRefresh());
    expect(await claim()).toBe(false);
    await connectionTokens.dropRefresh(db, refresh);
    expect(await claim()).toBe(true);
    await db('pos_connections').update({ refreshingUntil: new Date(Date.now() - 1) });
    expect(await claim()).toBe(true);
  });

  it.each([
    ['the tokens were replaced', { sealedAccessToken: 'others' }],
    ['the merchant has disconnected', { status: 'disconnected' }],
    ['the merchant must reconnect', { needsReconnectSince: new Date() }],
  ])('gives it to nobody when %s', async (_, change) => {
    await db('pos_connections').where({ id: connection.id }).update(change);
    expect(await claim()).toBe(false);
  });
});

describe('flagRevoked', () => {
  const revoke = (revokedAt: Date) =>
    connectionTokens.flagRevoked(
      db,
      { provider: 'alpha', merchantId: connection.merchantId, revokedAt },
      'Taken away.',
    );

  it('flags the account whose authorization was revoked', async () => {
    await revoke(new Date(Date.now() + 1_000));
    expect(await now()).toMatchObject({
      lastError: 'Taken away.',
      needsReconnectSince: expect.any(Date),
    });
  });

  it('leaves an account as it is that was connected again since', async () => {
    await revoke(new Date(connection.tokenRefreshedAt.getTime() - 1_000));
    expect(await now()).toMatchObject({ lastError: null, needsReconnectSince: null });
  });
});
