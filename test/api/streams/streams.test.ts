import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { routes } from '../../../api/routes/index.ts';
import { announce } from '../../../db/changes/announce.ts';
import type { ChangeListener } from '../../../db/changes/listener.ts';
import { connect } from '../../../db/connection.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import type { TenantId, WalletId } from '../../../domain/ids.ts';
import { aCredit, aTenant, aWallet, postByHand } from '../../support/factories.ts';
import { useApp } from '../../support/fixtures.ts';
import { type SignedIn, send } from '../../support/http/app.ts';
import { serveRoutes } from '../../support/http/serve-routes.ts';
import { hearing, streamsOf } from '../../support/http/streams.ts';

const PATH = '/api/v1/consumer/events';
const SOON = { timeout: 10_000, interval: 10 };
const timing = { rereadEveryMs: 300, checkEveryMs: 300, keepAliveAfterMs: 500, tickMs: 50 };
const app = await useApp({ timing });
const streams = streamsOf(app);
let listener: ChangeListener | undefined;
afterEach(async () => {
  await streams.closeAll();
  await listener?.close();
  listener = undefined;
  await expect.poll(() => app.streams.count(), SOON).toBe(0);
});

let ada: SignedIn;
let tenantId: TenantId;
let walletId: WalletId;
beforeEach(async () => {
  ada = await app.signIn({ role: 'consumer' });
  tenantId = await aTenant(app.db);
  walletId = await aWallet(app.db, { userId: ada.userId, tenantId, balance: 100 });
});

const open = (token = ada.token) => streams.open('/consumer/events', token);
/** Changes the wallet without announcing it. */
const credit = () => app.db.transaction((tx) => postByHand(tx, [aCredit(walletId, 1)]));
const endsIn = (log: readonly string[]) =>
  log.filter((line) => line.includes('"stream_ended"')).map((line) => JSON.parse(line));

describe('open streams', () => {
  it('are read again, so that nothing depends on what is announced', async () => {
    const stream = await open();
    await credit();
    await stream.until(1);
    expect(stream.events).toMatchObject([{ event: 'wallet', data: { balance: 101 } }]);
  });

  it('are read again when the session that listens was terminated', async () => {
    const other = await serveRoutes(routes, {
      db: app.db,
      issuer: app.issuer,
      timing: { rereadEveryMs: 600_000 },
    });
    const at = streamsOf(other);
    listener = await hearing({ ...app, streams: other.streams });
    const stream = await at.open('/consumer/events', ada.token);
    await credit();
    await app.db.raw(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'loyalty-api-listener' and datname = current_database()`,
    );
    await stream.until(1);
    expect(stream.events).toMatchObject([{ data: { balance: 101 } }]);
    await at.closeAll();
    await other.close();
  });

  it('resume at another process, with what changed meanwhile', async () => {
    const first = await open();
    await credit();
    await first.until(1);
    const lastEventId = first.lastId();
    await first.close();
    await app.db.transaction((tx) => wallets.setStatus(tx, walletId, 'frozen'));

    const other = await serveRoutes(routes, { db: app.db, issuer: app.issuer });
    const at = streamsOf(other);
    const second = await at.open('/consumer/events', ada.token, { lastEventId });
    await second.until(1);
    expect(second.events).toMatchObject([{ data: { status: 'frozen', balance: 101 } }]);
    expect(second.events).toHaveLength(1);
    const third = await at.open('/consumer/events', ada.token, { lastEventId: second.lastId() });
    await expect.poll(third.lastId, SOON).not.toBe('');
    expect(third.events).toEqual([]);
    await at.closeAll();
    await other.close();
  });

  it('get comments while nothing happens, with a position to resume from', async () => {
    const stream = await open();
    await expect.poll(() => stream.comments.length, SOON).toBeGreaterThan(2);
    const lastEventId = stream.lastId();
    await stream.close();
    await credit();
    const resumed = await streams.open('/consumer/events', ada.token, { lastEventId });
    await resumed.until(1);
    expect(resumed.events).toMatchObject([{ event: 'wallet', data: { balance: 101 } }]);
  });

  it('end with the token', async () => {
    const { sub, email } = decodeJwt<{ email: string }>(ada.token);
    // It is accepted for another two seconds, within the skew of clocks.
    const exp = Math.floor(Date.now() / 1_000) - 58;
    const token = await app.issuer.token({ sub, email, email_verified: true, exp });
    const stream = await open(token);
    expect(stream.status).toBe(200);
    await expect.poll(stream.isEnded, SOON).toBe(true);
    expect(endsIn(app.log).at(-1)).toMatchObject({ reason: 'token_expired', userId: ada.userId });
  });

  it.each(['suspended', 'pending_approval'] as const)(
    'end when the account is %s, and those of others do not',
    async (status) => {
      const grace = await app.signIn({ role: 'consumer' });
      const [stream, others] = [await open(), await open(grace.token)];
      await app.db('users').where('id', ada.userId).update({ status });
      await expect.poll(stream.isEnded, SOON).toBe(true);
      expect(endsIn(app.log).at(-1)).toMatchObject({ reason: 'access_lost' });
      expect(others.isEnded()).toBe(false);
    },
  );

  it('of a till end when its operator does not work for the shop any more', async () => {
    const operator = await app.signIn({ role: 'pos_operator', member: tenantId });
    const elsewhere = await aTenant(app.db);
    const { userId } = operator;
    await app.db('memberships').insert({ tenantId: elsewhere, userId, role: 'pos_operator' });
    const headers = (id: TenantId) => ({ headers: { 'x-tenant-id': id } });
    const lost = await streams.open('/pos/events', operator.token, headers(tenantId));
    const kept = await streams.open('/pos/events', operator.token, headers(elsewhere));
    await app.db('memberships').where({ tenantId, userId }).delete();
    await expect.poll(lost.isEnded, SOON).toBe(true);
    expect(kept.isEnded()).toBe(false);
    await app.db('users').where('id', userId).update({ role: 'consumer' });
    await expect.poll(kept.isEnded, SOON).toBe(true);
  });

  it('end with the change that takes the access away', async () => {
    const slow = { rereadEveryMs: 600_000, checkEveryMs: 600_000 };
    const other = await serveRoutes(routes, {
      db: app.db,
      issuer: app.issuer,
      announce: (changed) => announce(app.db, changed),
      timing: slow,
    });
    const at = streamsOf(other);
    listener = await hearing({ ...app, streams: other.streams });
    const admin = await app.signIn({ role: 'admin' });
    const owner = await app.signIn({ role: 'client', member: tenantId });
    const hired = async () => {
      const operator = await app.signIn({ role: 'pos_operator', member: tenantId });
      const headers = { 'x-tenant-id': tenantId };
      return { ...operator, stream: await at.open('/pos/events', operator.token, { headers }) };
    };
    const ask = (method: string, path: string, token: string, body?: object) =>
      send(other.url, { method, path: `/api/v1${path}`, token, ...(body && { body }) });
    const [kept, removed, left, changed] = await Promise.all([hired(), hired(), hired(), hired()]);
    const consumer = await at.open('/consumer/events', ada.token);
    const operators = `/client/tenants/${tenantId}/store-operators`;
    await ask('DELETE', `${operators}/${removed.userId}`, owner.token);
    await ask('DELETE', `/pos/membership/${tenantId}`, left.token);
    await ask('PATCH', `/admin/users/${changed.userId}/role`, admin.token, { role: 'consumer' });
    await ask('POST', `/admin/users/${ada.userId}/suspend`, admin.token, {});
    const ended = [removed.stream, left.stream, changed.stream, consumer];
    await expect.poll(() => ended.map((each) => each.isEnded()), SOON).toEqual(Array(4).fill(true));
    expect(kept.stream.isEnded()).toBe(false);
    await ask('POST', `/admin/tenants/${tenantId}/suspend`, admin.token, {});
    await expect.poll(kept.stream.isEnded, SOON).toBe(true);
    await at.closeAll();
    await other.close();
  });

  it('429 beyond ten of a user, and room again when one is closed', async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => open()));
    expect(opened.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const refused = await app.call({ path: PATH, token: ada.token });
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    const grace = await app.signIn({ role: 'consumer' });
    expect((await open(grace.token)).status).toBe(200);
    await opened[0]?.close();
    await expect.poll(async () => (await open()).status, SOON).toBe(200);
  });

  it('leave nothing behind when clients go away, however soon', async () => {
    const leaving = Array.from({ length: 20 }, async (_, nth) => {
      const { token } = await app.signIn({ role: 'consumer' });
      const signal = AbortSignal.timeout(nth);
      const headers = { authorization: `Bearer ${token}` };
      await fetch(`${app.url}${PATH}`, { headers, signal })
        .then((response) => response.text())
        .catch(() => undefined);
    });
    await Promise.all(leaving);
    await expect.poll(() => app.streams.count(), SOON).toBe(0);
  });

  it('503 while the database is away, and nothing is left behind', async () => {
    const away = connect('postgres://127.0.0.1:9/none', 1, 'loyalty-test-away');
    const other = await serveRoutes(routes, { db: away });
    await expect(
      other.streams.open({
        user: { id: ada.userId },
        permission: 'WALLET_VIEW_OWN',
        expiresAt: new Date(Date.now() + 60_000),
        lastEventId: undefined,
        correlationId: randomUUID(),
      }),
    ).rejects.toThrow();
    expect(other.streams.count()).toBe(0);
    await other.close();
    await away.destroy();
  });

  it('end when the process stops, which opens no more', async () => {
    const other = await serveRoutes(routes, { db: app.db, issuer: app.issuer });
    const at = streamsOf(other);
    const stream = await at.open('/consumer/events', ada.token);
    await other.streams.close();
    await expect.poll(stream.isEnded, SOON).toBe(true);
    expect(endsIn(other.log).at(-1)).toMatchObject({ reason: 'draining' });
    const refused = await at.open('/consumer/events', ada.token);
    expect(refused.status).toBe(503);
    await at.closeAll();
    await other.close();
  });

  it('are counted by what they tell of, and by how they end', async () => {
    const operator = await app.signIn({ role: 'pos_operator', member: tenantId });
    await open();
    const till = await streams.open('/pos/events', operator.token);
    expect(app.streams.counts()).toEqual({ consumer: 1, shop: 1 });
    await till.close();
    await expect.poll(() => app.streams.counts(), SOON).toEqual({ consumer: 1, shop: 0 });
    const text = await app.metrics.metrics();
    expect(text).toMatch(/loyalty_streams_ended_total\{feed="shop",reason="client_left"\} [1-9]/);
  });
});
