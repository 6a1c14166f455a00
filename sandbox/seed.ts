import { z } from 'zod';
import type { Db } from '../db/connection.ts';
import * as tenants from '../db/tenants/tenants.ts';
import { TenantId, UserId } from '../domain/ids.ts';
import { callApi as call } from './api-call.ts';
import { connectProvider } from './connecting.ts';
import { PEOPLE, PERSON_NAMES, type PersonName } from './identity/people.ts';
import { obtainToken } from './identity/sign-in.ts';
import { forEachProvider, type Simulators } from './providers/index.ts';
import type { State } from './state.ts';

export type SeededTenant = NonNullable<State['seeded']>;
export type Tokens = Readonly<Record<PersonName, string>>;

export type SeedParts = {
  db: Db;
  api: string;
  tokens: Tokens;
  simulators: Simulators;
};

const TENANT_NAME = 'Corner Café';
const CENTS_PER_POINT = 10;

/** Signs everyone in as a browser would, and calls the API once as each to create its users. */
export async function signInAll(api: string, issuer: string): Promise<Tokens> {
  const tokens = await Promise.all(PERSON_NAMES.map((person) => obtainToken({ issuer, person })));
  const [consumer = '', merchant = '', operator = '', admin = ''] = tokens;
  for (const token of tokens) await call({ api, token }, 'GET', '/auth/me');
  return { consumer, merchant, operator, admin };
}

/** Moves the users to the provider's new address, so that they keep their data. */
export async function updateIssuer(db: Db, issuer: string): Promise<void> {
  await db('users')
    .whereLike('iss', 'http://127.0.0.1:%')
    .whereNot('iss', issuer)
    .update('iss', issuer);
}

/**
 * Creates the sample tenant: an active merchant with all providers connected as in a browser, a
 * reward rule, an operator, and Ada as a customer at each provider. Can be repeated after an
 * interruption.
 */
export async function seedTenant(parts: SeedParts): Promise<SeededTenant> {
  const { db, api, tokens, simulators } = parts;
  const tenantId = await ensureActiveTenant(db, await userIdOf(api, tokens.merchant));
  const at = { api, token: tokens.merchant };

  const { email, phone_number: phone } = PEOPLE.consumer;
  const ada = { givenName: 'Ada', familyName: 'Byron', email, phone };
  const accounts = await forEachProvider(async (provider) => {
    const simulator = simulators[provider];
    const account = await simulator.addAccount(TENANT_NAME, ada);
    const { merchantId } = account;
    await connectProvider(at, { tenantId, provider, at: simulator, merchantId });
    return account;
  });

  const rules = `/client/tenants/${tenantId}/reward-rules`;
  const published = await call({ api, token: tokens.merchant }, 'GET', rules);
  if (Array.isArray(published) && published.length === 0) {
    await call({ api, token: tokens.merchant }, 'POST', rules, {
      conversionRate: 1 / CENTS_PER_POINT,
    });
  }
  const invites = `/client/tenants/${tenantId}/store-operator-invites`;
  const { email: operatorEmail } = PEOPLE.operator;
  const invited = await call(at, 'POST', invites, { email: operatorEmail });
  const { inviteId } = z.object({ inviteId: z.uuid() }).parse(invited);
  await call({ api, token: tokens.operator }, 'POST', `/auth/invites/${inviteId}/accept`);
  return { tenantId, accounts };
}

async function userIdOf(api: string, token: string): Promise<UserId> {
  const profile = await call({ api, token }, 'GET', '/auth/me');
  return UserId.parse(isRecord(profile) ? profile.userId : undefined);
}

async function ensureActiveTenant(db: Db, ownerId: UserId): Promise<TenantId> {
  return db.transaction(async (tx) => {
    const owner = await tx('users').where('id', ownerId).forUpdate().first('id');
    await tx('users').where('id', owner.id).update({ status: 'active' });
    const existing = await tx('memberships').where('userId', ownerId).first('tenantId');
    if (existing !== undefined) return TenantId.parse(existing.tenantId);
    return tenants.insert(tx, { name: TENANT_NAME, country: 'US', ownerId });
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
