import { afterAll } from 'vitest';
import type { UserId } from '../../domain/ids.ts';
import { startAppServer } from '../../sandbox/apps/server.ts';
import { AUDIENCE } from '../../sandbox/environment.ts';
import { ADMIN_EMAIL_DOMAIN, PEOPLE, type PersonName } from '../../sandbox/identity/people.ts';
import { startIdentityProvider } from '../../sandbox/identity/provider.ts';
import { CLIENT_ID, obtainToken } from '../../sandbox/identity/sign-in.ts';
import { newState } from '../../sandbox/state.ts';
import { createClient, type LoyaltyClient } from '../../sdk/index.ts';
import { builtApps, builtComponents } from '../../web/build.ts';
import { aRule, aTenant, aUser } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/http/app.ts';
import { hearing } from '../support/http/streams.ts';
import { settingsFor } from '../support/people/issuer.ts';
import { aTill } from '../support/points/payments.ts';

type AppOptions = Omit<NonNullable<Parameters<typeof startApp>[0]>, 'identity'>;

/** What the apps ask the identity provider for. */
export const SCOPE = 'openid profile email phone offline_access';

/**
 * A shop whose people can sign in to the apps, for a test file: the whole API on a database of its
 * own, the sandbox's identity provider, and the built apps, all over HTTP.
 */
export async function useShop(options: AppOptions = {}): Promise<TestShop> {
  const shop = await startShop(options);
  afterAll(() => shop.close());
  return shop;
}

export type TestShop = Awaited<ReturnType<typeof startShop>>;

async function startShop(options: AppOptions) {
  const folder = await builtApps();
  const state = await newState();
  const identity = await startIdentityProvider({
    port: 0,
    signingKey: state.secrets.oidcSigningKey,
    people: PEOPLE,
    audience: AUDIENCE,
  });
  const { issuer } = identity;
  let api = '';
  const support = 'help@shop.example';
  const config = () => ({ api, issuer, clientId: CLIENT_ID, scope: SCOPE, support });
  const apps = await startAppServer({ port: 0, folder, components: builtComponents, config });
  const app = await startApp({
    ...options,
    settings: {
      corsAllowsLoopback: true,
      oidcIssuer: issuer,
      frontendUrl: apps.url,
      adminEmailDomain: ADMIN_EMAIL_DOMAIN,
      ...options.settings,
    },
    identity: settingsFor(issuer),
  });
  api = app.url;
  const listener = await hearing(app);
  const { tenantId, userIds } = await aShopWithPeople(app, issuer);
  const as = (person: PersonName): LoyaltyClient => {
    const token = obtainToken({ issuer, person });
    return createClient({ baseUrl: app.url, token: () => token });
  };
  await as('merchant').updateOnboarding({ tenantId, body: { currency: 'EUR', country: 'DE' } });
  const sell = await aTill(app.db, tenantId);
  return {
    app,
    db: app.db,
    url: apps.url,
    issuer,
    tenantId,
    /** The sandbox's people, each with the role that its name says. */
    userIds,
    /** Rings a sale and credits it. */
    sell,
    /** The client of the API, signed in as somebody. */
    as,
    async close() {
      await listener.close();
      await app.close();
      await apps.stop();
      await identity.stop();
    },
  };
}

/** Corner Café of Mary, who gives a point a cent; George burns codes there. */
async function aShopWithPeople({ db }: TestApp, iss: string) {
  const ROLES = { consumer: 'consumer', merchant: 'client', operator: 'pos_operator' } as const;
  const personOf = (name: PersonName) => {
    const { sub, email, phone_number: phone } = PEOPLE[name];
    return aUser(db, { iss, sub, email, phone, role: name === 'admin' ? name : ROLES[name] });
  };
  const userIds: Record<PersonName, UserId> = {
    consumer: await personOf('consumer'),
    merchant: await personOf('merchant'),
    operator: await personOf('operator'),
    admin: await personOf('admin'),
  };
  const tenantId = await aTenant(db, { name: 'Corner Café', ownerId: userIds.merchant });
  await db('memberships').insert({ tenantId, userId: userIds.operator, role: 'pos_operator' });
  await aRule(db, tenantId);
  return { tenantId, userIds };
}
