import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantId, UserId, WalletId } from '../../../domain/ids.ts';
import { aRule, aTenant, aUser, aWallet, required } from '../../support/factories.ts';
import { useApp } from '../../support/fixtures.ts';
import type { SignedIn } from '../../support/http/app.ts';
import { aTill } from '../../support/points/payments.ts';
import { aRedemption } from '../../support/points/redemptions.ts';

// Each list as CSV for people, over HTTP.

const app = await useApp();
const { db } = app;

let tenantId: TenantId;
let merchant: SignedIn;
let email: string;
let userId: UserId;
let walletId: WalletId;
beforeEach(async () => {
  tenantId = await aTenant(db, { name: 'Corner Café' });
  await db('tenants')
    .where({ id: tenantId })
    .update({ currency: 'EUR', timeZone: 'Europe/Berlin' });
  merchant = await app.signIn({ role: 'client', member: tenantId });
  email = `ada-${randomUUID()}@example.com`;
  userId = await aUser(db, { email });
  walletId = await aWallet(db, { balance: 500, userId, tenantId });
});

async function get(path: string, { token }: SignedIn, headers: Record<string, string> = {}) {
  const separator = path.includes('?') ? '&' : '?';
  return app.call({
    path: `/api/v1${path}${separator}columns=named`,
    token,
    headers: { accept: 'text/csv', ...headers },
  });
}
const shop = (list: string) => `/client/tenants/${tenantId}/${list}`;
const german = { 'accept-language': 'de-AT,en;q=0.5' };

/** The cells of the first row, by the titles. */
function rowOf(body: unknown, separator = ','): Record<string, string> {
  const [titles = [], first = []] = String(body)
    .split('\r\n')
    .map((line) => line.split(separator));
  expect(first).toHaveLength(titles.length);
  return Object.fromEntries(titles.map((title, nth) => [title, first[nth] ?? '']));
}

describe('lists as CSV for people', () => {
  it('sales: with what was paid, who it was, and ids last', async () => {
    await aRule(db, tenantId);
    const pay = await aTill(db, tenantId);
    const sale = await pay({ amount: 1250, refunded: 50, email });
    const { status, headers, body } = await get(shop('transactions'), merchant);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="transactions.csv"');
    expect(rowOf(body)).toMatchObject({
      'When (Europe/Berlin)': '2026-01-15 11:00',
      Amount: '12.50',
      Refunded: '0.50',
      Currency: 'EUR',
      'Customer (e-mail)': 'a***@example.com',
      Outcome: 'Credited',
      Points: '1250',
      'Sale id': sale,
      'Customer id': userId,
    });
    expect(rowOf((await get(shop('transactions'), merchant, german)).body, ';')).toMatchObject({
      'Wann (Europe/Berlin)': '2026-01-15 11:00',
      Betrag: '12,50',
      Ergebnis: 'Gutgeschrieben',
    });
    const { body: inTokyo } = await get(`${shop('transactions')}?timeZone=Asia/Tokyo`, merchant);
    expect(rowOf(inTokyo)['When (Asia/Tokyo)']).toBe('2026-01-15 19:00');
  });

  it('codes: with what they are worth, and not the codes', async () => {
    const { id, code } = await aRedemption(db, { walletId, points: 500 });
    const { headers, body } = await get(shop('redemptions'), merchant);
    expect(headers.get('content-disposition')).toBe('attachment; filename="codes.csv"');
    expect(rowOf(body)).toMatchObject({
      'Customer (e-mail)': 'a***@example.com',
      Points: '500',
      Status: 'Can be used',
      'Used (Europe/Berlin)': '',
      'Code id': id,
    });
    expect(body).not.toContain(code);
  });

  it('customers: with contacts masked, and points by their worth', async () => {
    const { body } = await get(shop('consumers'), merchant, german);
    expect(rowOf(body, ';')).toMatchObject({
      'Kunde (E-Mail)': 'a***@example.com',
      Punkte: '500',
      Wert: '5,00',
      Währung: 'EUR',
      Status: 'Aktiv',
      'Nummer des Kunden': userId,
    });
    expect(body).not.toContain(email);
  });

  it('history and audit log: with what was done in words', async () => {
    const rename = { businessName: 'Corner Bar' };
    const path = `/api/v1${shop('onboarding')}`;
    await app.call({ path, method: 'PATCH', token: merchant.token, body: rename });
    const history = await get(shop('audit-logs'), merchant);
    expect(rowOf(history.body)).toMatchObject({
      'What was done': 'Changed the profile of a shop',
      After: 'name: Corner Bar; businessName: Corner Bar',
    });
    const admin = await app.signIn({ role: 'admin' });
    const log = await get(`/admin/audit-logs?target=${tenantId}`, admin, german);
    expect(log.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
    const [, first] = String(log.body).split('\r\n');
    expect(first).toContain(';Profil eines Geschäfts geändert;');
    expect(String(log.body)).toContain('Wann (UTC);');
  });

  it('people: as administrators find them', async () => {
    const admin = await app.signIn({ role: 'admin' });
    const { body } = await get(`/admin/users/search?q=${email}`, admin);
    expect(rowOf(body)).toMatchObject({ 'E-mail': email, Role: 'Customer', 'Person id': userId });
  });

  it('400 VALIDATION_ERROR for columns and time zones that do not exist', async () => {
    for (const query of ['?timeZone=Mars/Base', '?timeZone=utc']) {
      expect((await get(`${shop('consumers')}${query}`, merchant)).status).toBe(400);
    }
    const path = `/api/v1${shop('consumers')}?columns=all`;
    expect((await app.call({ path, token: required(merchant.token) })).status).toBe(400);
  });
});
