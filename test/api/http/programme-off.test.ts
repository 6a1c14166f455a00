import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routes } from '../../../api/routes/index.ts';
import { connect } from '../../../db/connection.ts';
import { aProgramme, aRule, aTenant, aWallet } from '../../support/factories.ts';
import { useApp } from '../../support/fixtures.ts';
import { serveRoutes } from '../../support/http/serve-routes.ts';
import { aTill } from '../../support/points/payments.ts';

const app = await useApp();
const db = connect({ url: app.databaseUrl, hasProgrammes: false }, 2, 'loyalty-test-off');
const off = await serveRoutes(routes, { db, issuer: app.issuer });
afterAll(async () => {
  await off.close();
  await db.destroy();
});

describe('where programmes are not applied', () => {
  it('no points wait, and their addresses are not there', async () => {
    const email = 'off@example.com';
    const { userId, token } = await app.signIn({ role: 'consumer', email });
    const tenantId = await aTenant(app.db);
    await aRule(app.db, tenantId, { conversionRate: 0.1 });
    await aProgramme(app.db, tenantId, { returnWindowDays: 14 });
    const walletId = await aWallet(app.db, { balance: 20, userId, tenantId });
    await (await aTill(app.db, tenantId))({ email, amount: 500 });
    const get = async (url: string, path: string) => {
      const answer = await fetch(`${url}/api/v1/consumer/wallets/${walletId}${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return {
        status: answer.status,
        body: z.record(z.string(), z.unknown()).parse(await answer.json()),
      };
    };
    const waiting = { balance: 70, pending: 50, available: 20 };
    expect((await get(app.url, '')).body).toMatchObject(waiting);
    expect((await get(app.url, '/programme')).status).toBe(200);

    const all = { balance: 70, pending: 0, available: 70, nextRelease: null };
    expect((await get(off.url, '')).body).toMatchObject(all);
    expect((await get(off.url, '/programme')).status).toBe(404);
    const confirm = (pointsToRedeem: number, key = {}) =>
      fetch(`${off.url}/api/v1/consumer/wallets/${walletId}/redeem/confirm`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...key },
        body: JSON.stringify({ pointsToRedeem }),
      });
    // Of the 20 that are available where programmes are applied, nothing is left after the first.
    expect((await confirm(30)).status).toBe(200);
    expect((await confirm(40, { 'idempotency-key': 'all' })).status).toBe(200);
  });

  it('a merchant reads of no points that expire, and of no tier', async () => {
    const tenantId = await aTenant(app.db);
    const { token } = await app.signIn({ role: 'client', member: tenantId });
    const { userId } = await app.signIn({ role: 'consumer' });
    const walletId = await aWallet(app.db, { balance: 20, userId, tenantId });
    const publishedAt = new Date(Date.now() - 90 * 86_400_000);
    const tiers = [{ key: 'silver', name: 'Silver', thresholdMinorUnits: 1, multiplier: 1 }];
    await aProgramme(app.db, tenantId, { validityMonths: 12, tiers, publishedAt });
    const term = { since: '2026-01-15', decidedOn: '2026-01-15', keptUntil: '2099-01-15' };
    await app.db('wallet_standings').insert({ walletId, tenantId, tierKey: 'silver', ...term });
    const read = async (url: string) => {
      const path = `/api/v1/client/tenants/${tenantId}/consumers/${userId}`;
      const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
      return answer.json();
    };
    expect(await read(app.url)).toMatchObject({ tier: 'Silver', expiring: { points: 20 } });
    expect(await read(off.url)).toMatchObject({ tier: null, expiring: null });
  });

  it('an erasure that was asked for before can still be withdrawn', async () => {
    const { userId } = await app.signIn({ role: 'consumer' });
    const { token } = await app.signIn({ role: 'admin' });
    const ask = (url: string, method: string) =>
      fetch(`${url}/api/v1/admin/users/${userId}/erase`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(method === 'POST' && { body: JSON.stringify({ reason: 'Asked for in a letter.' }) }),
      });
    expect((await ask(app.url, 'POST')).status).toBe(202);
    expect((await ask(off.url, 'POST')).status).toBe(405);
    expect((await ask(off.url, 'DELETE')).status).toBe(200);
  });

  it('the profile says so, for apps that then offer nothing of them', async () => {
    const { token } = await app.signIn({ role: 'client' });
    const says = async (url: string) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${url}/api/v1/auth/me`, { headers })).json();
    };
    expect(await says(off.url)).toMatchObject({ hasProgrammes: false });
    expect(await says(app.url)).toMatchObject({ hasProgrammes: true });
  });

  it('an erasure can be seen and withdrawn, and none be asked for', async () => {
    const { token } = await app.signIn({ role: 'consumer', email: 'leaving@example.com' });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const call = (url: string, method: string) => {
      const body = method === 'POST' ? JSON.stringify({ confirm: 'ERASE' }) : null;
      return fetch(`${url}/api/v1/consumer/erasure`, { method, headers, body });
    };
    expect((await call(off.url, 'POST')).status).toBe(405);
    expect((await call(app.url, 'POST')).status).toBe(202);
    expect((await call(off.url, 'GET')).status).toBe(200);
    expect((await call(off.url, 'DELETE')).status).toBe(200);
  });
});
