import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '../../../db/connection.ts';
import type { TenantId } from '../../../domain/ids.ts';
import type { Provider } from '../../../domain/payment.ts';
import { connectProvider } from '../../../sandbox/connecting.ts';
import { type AlphaSimulator, startAlpha } from '../../../sandbox/providers/alpha/simulator.ts';
import { type BetaSimulator, startBeta } from '../../../sandbox/providers/beta/simulator.ts';
import type { Chaos } from '../../../sandbox/providers/shared/chaos.ts';
import { aRule, aTenant, aUser } from '../factories.ts';
import type { Issuer } from '../people/issuer.ts';
import { tokenFor } from '../people/tokens.ts';
import { type Processes, SIGNATURE_KEY } from '../processes.ts';

const BETA = {
  appId: 'BETATESTS0001',
  appSecret: 'the secret of the beta app',
  webhookSecret: 'the auth code of beta webhooks',
};
const ALPHA = { appId: 'alpha-tests', appSecret: 'the secret of the alpha app' };

export type Providers = { alpha: AlphaSimulator; beta: BetaSimulator; close(): Promise<void> };

/**
 * Starts both simulators with the API's addresses, and puts theirs in the service's settings. Their
 * clock is `now`, by default the system's.
 */
export async function startProviders(
  processes: Pick<Processes, 'apiUrl' | 'env'>,
  seed: number,
  now = () => new Date(),
): Promise<Providers> {
  const registered = (provider: Provider) => ({
    port: 0,
    seed,
    now,
    minuteMs: 250,
    webhookUrl: `${processes.apiUrl}/api/v1/webhooks/${provider}`,
    redirectUrl: `${processes.apiUrl}/api/v1/oauth/${provider}/callback`,
  });
  const alpha = await startAlpha({
    ...registered('alpha'),
    ...ALPHA,
    signatureKey: SIGNATURE_KEY,
  });
  const beta = await startBeta({
    ...registered('beta'),
    ...BETA,
    retryMode: true,
    // The service must keep to the limit on concurrent requests; a low limit per second would only
    // make the test slower.
    limits: { perSecond: 1_000, perSecondOverall: 5_000 },
  });
  Object.assign(processes.env, {
    ALPHA_APP_ID: ALPHA.appId,
    ALPHA_APP_SECRET: ALPHA.appSecret,
    ALPHA_ORIGIN: alpha.url,
    BETA_APP_ID: BETA.appId,
    BETA_APP_SECRET: BETA.appSecret,
    BETA_WEBHOOK_SECRET: BETA.webhookSecret,
    BETA_WEB_ORIGIN: beta.url,
    BETA_API_ORIGIN: beta.url,
  });
  return {
    alpha,
    beta,
    async close() {
      await alpha.stop();
      await beta.stop();
    },
  };
}

export type Shop = {
  tenantId: TenantId;
  /** The merchant's access token. */
  token: string;
  alphaMerchantId: string;
  betaMerchantId: string;
};

/** Creates a tenant and connects both providers through the API and the consent pages. */
export async function connectedShop(
  at: { db: Db; api: string; issuer: Issuer },
  { alpha, beta }: Providers,
): Promise<Shop> {
  const tenantId = await aTenant(at.db, { country: 'US' });
  await aRule(at.db, tenantId, { conversionRate: 0.1 });
  const token = await tokenFor(at.db, at.issuer, { role: 'client', member: tenantId });
  const as = { api: at.api, token };
  const alphaMerchantId = alpha.addMerchant({
    name: 'Shop',
    locations: [{ name: 'Main' }, { name: 'Harbour' }],
  }).id;
  await connectProvider(as, {
    tenantId,
    provider: 'alpha',
    at: alpha,
    merchantId: alphaMerchantId,
  });
  const betaMerchantId = beta.addMerchant({ name: 'Shop' }).id;
  await connectProvider(as, { tenantId, provider: 'beta', at: beta, merchantId: betaMerchantId });
  return { tenantId, token, alphaMerchantId, betaMerchantId };
}

/** Every fault with the same probability; the clock is off by the same share of a minute. */
export function everyFault(share: number): Chaos {
  return {
    duplicate: share,
    reorder: share,
    delay: share,
    drop: share,
    wrongKey: share,
    tooMany: share,
    serverError: share,
    expiredToken: share,
    notFoundFirst: share,
    clockSkew: share,
  };
}

/** A person with an e-mail, and the customer with that e-mail at each provider. */
export type Buyer = { email: string; alphaId: string; betaId: string };

/** Creates `count` buyers who have signed up, and as many whom the service does not know. */
export async function buyersOf(
  db: Db,
  shop: Shop,
  { alpha, beta }: Providers,
  count: number,
): Promise<{ known: Buyer[]; strangers: Buyer[] }> {
  const make = async (isKnown: boolean): Promise<Buyer> => {
    const email = `${randomUUID()}@example.com`;
    if (isKnown) await aUser(db, { email });
    const alphaId = alpha.addCustomer({ merchantId: shop.alphaMerchantId, email }).id;
    const betaId = beta.addCustomer({ merchantId: shop.betaMerchantId, emails: [email] }).id;
    return { email, alphaId, betaId };
  };
  const all = (isKnown: boolean) => Promise.all(Array.from({ length: count }, () => make(isKnown)));
  return { known: await all(true), strangers: await all(false) };
}

const Cron = z.object({ ok: z.boolean() });

const CRON_JOBS = ['alpha-poll-payments', 'process-pending-webhooks'] as const;

/** Polls and sweeps over HTTP, as external cron does in addition to Temporal's Schedules. */
export async function runCron(
  processes: Pick<Processes, 'apiUrl' | 'env'>,
  jobs: readonly (typeof CRON_JOBS)[number][] = CRON_JOBS,
): Promise<void> {
  for (const path of jobs) {
    const response = await fetch(`${processes.apiUrl}/api/v1/internal/cron/${path}`, {
      method: 'POST',
      headers: { 'x-cron-secret': processes.env.CRON_SECRET ?? '' },
    });
    const answer = await response.json();
    if (!Cron.parse(answer).ok) throw new Error(`${path} answered ${JSON.stringify(answer)}`);
  }
}
