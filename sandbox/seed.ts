import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/connection.ts';
import * as posConnections from '../db/pos-connections.ts';
import * as tenants from '../db/tenants.ts';
import { TenantId, UserId } from '../domain/ids.ts';
import { createSecrets } from '../gateways/secrets.ts';
import type { AlphaSimulator } from './alpha/simulator.ts';
import { PEOPLE, PERSON_NAMES, type PersonName } from './people.ts';
import { obtainToken } from './sign-in.ts';
import type { State } from './state.ts';

export type Shop = NonNullable<State['seeded']>;
export type Tokens = Readonly<Record<PersonName, string>>;

const SHOP_NAME = 'Corner Café';
const CREDITED_WITHIN_MS = 30_000;

/** Signs everyone in, as in a browser, and calls the API once as each, which makes them its users. */
export async function signEveryoneIn(api: string, issuer: string): Promise<Tokens> {
  const tokens = await Promise.all(PERSON_NAMES.map((person) => obtainToken({ issuer, person })));
  const [consumer = '', merchant = '', operator = '', admin = ''] = tokens;
  for (const token of tokens) await call({ api, token }, 'GET', '/auth/me');
  return { consumer, merchant, operator, admin };
}

/** Lets the people keep what they have when the provider had to move to another port. */
export async function adoptIssuer(db: Db, issuer: string): Promise<void> {
  await db('users')
    .whereLike('iss', 'http://127.0.0.1:%')
    .whereNot('iss', issuer)
    .update('iss', issuer);
}

/**
 * Sees to it that there is a shop: an approved merchant's tenant with an active alpha connection, a
 * reward rule, an operator at its till, and Ada among the provider's customers. Run again after it was cut off, it goes on.
 */
export async function seedShop(parts: {
  db: Db;
  api: string;
  tokens: Tokens;
  alpha: AlphaSimulator;
  encryptionKey: string;
}): Promise<Shop> {
  const { db, api, tokens, alpha } = parts;
  const tenantId = await approvedMerchant(db, await userIdOf(api, tokens.merchant));

  const merchant = alpha.addMerchant({ name: SHOP_NAME });
  const customer = alpha.addCustomer({
    merchantId: merchant.id,
    givenName: 'Ada',
    familyName: 'Byron',
    email: PEOPLE.consumer.email,
    phone: PEOPLE.consumer.phone_number,
  });
  const { accessToken, refreshToken, expiresAt } = alpha.issueToken(merchant.id);
  const key = Uint8Array.from(Buffer.from(parts.encryptionKey, 'hex'));
  const secrets = createSecrets([{ id: 'k1', key }]);
  const context = { tenantId, provider: 'alpha' };
  await posConnections.connect(db, {
    tenantId,
    posType: 'alpha',
    merchantId: merchant.id,
    sealedAccessToken: secrets.seal(accessToken, { ...context, field: 'access_token' }),
    sealedRefreshToken: secrets.seal(refreshToken, { ...context, field: 'refresh_token' }),
    tokenExpiresAt: expiresAt,
  });

  const rules = `/client/tenants/${tenantId}/reward-rules`;
  const published = await call({ api, token: tokens.merchant }, 'GET', rules);
  if (Array.isArray(published) && published.length === 0) {
    await call({ api, token: tokens.merchant }, 'POST', rules, { conversionRate: 0.1 });
  }
  await call(
    { api, token: tokens.merchant },
    'POST',
    `/client/tenants/${tenantId}/store-operator-invites`,
    {
      email: PEOPLE.operator.email,
    },
  );
  // Signing in is how an invite is accepted.
  await call({ api, token: tokens.operator }, 'GET', '/auth/me');
  return { tenantId, alphaMerchantId: merchant.id, alphaCustomerId: customer.id };
}

async function userIdOf(api: string, token: string): Promise<UserId> {
  const profile = await call({ api, token }, 'GET', '/auth/me');
  return UserId.parse(isRecord(profile) ? profile.userId : undefined);
}

async function approvedMerchant(db: Db, ownerId: UserId): Promise<TenantId> {
  return db.transaction(async (tx) => {
    const owner = await tx('users').where('id', ownerId).forUpdate().first('id');
    await tx('users').where('id', owner.id).update({ status: 'active' });
    const existing = await tx('memberships').where('userId', ownerId).first('tenantId');
    if (existing !== undefined) return TenantId.parse(existing.tenantId);
    return tenants.insert(tx, { name: SHOP_NAME, country: 'US', ownerId });
  });
}

export type Outcome = { paid: string; pointsBefore: number; pointsAfter: number };

/** Rings a sale for Ada at the simulated till and waits until her points have grown. */
export async function ringSale(
  alpha: AlphaSimulator,
  shop: Shop,
  api: string,
  token: string,
): Promise<Outcome> {
  const pointsBefore = await balance(api, token, shop.tenantId);
  const payment = alpha.ring({
    merchantId: shop.alphaMerchantId,
    customerId: shop.alphaCustomerId,
    amount: 1250,
    tip: 150,
    capture: 'at-once',
  });
  for (const deadline = Date.now() + CREDITED_WITHIN_MS; Date.now() < deadline; await sleep(25)) {
    const pointsAfter = await balance(api, token, shop.tenantId);
    const { amount, currency } = payment.amount_money;
    const paid = `${(amount / 100).toFixed(2)} ${currency}`;
    if (pointsAfter > pointsBefore) return { paid, pointsBefore, pointsAfter };
  }
  throw new Error(`The sale ${payment.id} was not credited within ${CREDITED_WITHIN_MS / 1000} s`);
}

async function balance(api: string, token: string, tenantId: string): Promise<number> {
  const wallets = await call({ api, token }, 'GET', '/consumer/wallets');
  const wallet = Array.isArray(wallets) ? wallets.find((item) => item.tenantId === tenantId) : null;
  return typeof wallet?.balance === 'number' ? wallet.balance : 0;
}

async function call(
  { api, token }: { api: string; token: string },
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(`${api}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
