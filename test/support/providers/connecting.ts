import { createOAuthActivities } from '../../../activities/connections/connect.ts';
import type { ApiSettings } from '../../../api/http/deps.ts';
import type { Db } from '../../../db/connection.ts';
import type { AttemptId, TenantId } from '../../../domain/ids.ts';
import type { Provider } from '../../../domain/payment.ts';
import { createAlpha } from '../../../gateways/providers/alpha/client.ts';
import { createBeta } from '../../../gateways/providers/beta/client.ts';
import { type AlphaSimulator, startAlpha } from '../../../sandbox/providers/alpha/simulator.ts';
import { type BetaSimulator, startBeta } from '../../../sandbox/providers/beta/simulator.ts';
import { aTenant, testSealer } from '../factories.ts';
import { type Answer, type SignedIn, startApp, type TestApp } from '../http/app.ts';
import { ALPHA_APP, API_BASE_URL, BETA_APP, type OAuthByProvider, testOAuth } from './oauth.ts';
import { testProviders } from './providers.ts';

const FRONTEND = 'https://app.shop.example';

export type Merchant = SignedIn & { tenantId: TenantId };

/** Starts the API with both simulators; codes are exchanged in process instead of by a worker. */
export async function startConnecting(settings: Partial<ApiSettings> = {}, now = () => new Date()) {
  const providers = await startProviders(API_BASE_URL, now);
  const { alpha, beta, oauth } = providers;
  const exchange = { isAway: false };
  const polling: string[] = [];
  const app = await startApp({
    settings,
    oauth,
    orchestrator: {
      stopPollingLater: (id) => void polling.push(id),
      async exchangeOAuthCode({ id }) {
        if (exchange.isAway) throw new Error('There is no connection to Temporal yet.');
        await providers.exchangeCode(app.db, id);
      },
    },
  });
  return {
    app,
    alpha,
    beta,
    oauth,
    exchange,
    polling,
    aMerchant: () => aMerchant(app),
    connect: (provider: Provider, merchant: Merchant) => connect(app, provider, merchant),
    /** Follows the authorization URL, and returns the query that the provider redirects with. */
    consent: async (provider: Provider, merchant: Merchant): Promise<URLSearchParams> => {
      const response = await fetch(await connect(app, provider, merchant), { redirect: 'manual' });
      return new URL(response.headers.get('location') ?? '').searchParams;
    },
    callback: (provider: Provider, query: URLSearchParams | Record<string, string>) =>
      callback(app, provider, query),
    async close() {
      await app.close();
      await providers.stop();
    },
  };
}

/**
 * Starts both simulators, with the OAuth that knows them; they send merchants back to the service
 * at an origin, and have a clock of their own if one is given.
 */
export async function startProviders(apiBaseUrl = API_BASE_URL, now = () => new Date()) {
  const redirectUrl = (provider: Provider) => `${apiBaseUrl}/api/v1/oauth/${provider}/callback`;
  const hooks = { webhookUrl: 'http://127.0.0.1:9/nowhere', now };
  const alpha = await startAlpha({
    ...hooks,
    port: 0,
    signatureKey: 'key',
    redirectUrl: redirectUrl('alpha'),
    appId: ALPHA_APP.id,
    appSecret: ALPHA_APP.secret,
  });
  const beta = await startBeta({
    ...hooks,
    port: 0,
    webhookSecret: 'secret',
    redirectUrl: redirectUrl('beta'),
    appId: BETA_APP.id,
    appSecret: BETA_APP.secret,
  });
  const oauth = testOAuth({ alpha: alpha.url, beta: beta.url }, apiBaseUrl);
  return {
    alpha,
    beta,
    oauth,
    /** Exchanges the code of an attempt, as the worker does. */
    async exchangeCode(db: Db, id: AttemptId): Promise<void> {
      const providers = testProviders({
        oauth,
        alpha: createAlpha({ environment: 'sandbox', origin: alpha.url }),
        beta: createBeta({
          environment: 'sandbox',
          region: 'na',
          webOrigin: beta.url,
          apiOrigin: beta.url,
        }),
      });
      await createOAuthActivities({ db, tokenSealer: testSealer, providers }).exchangeCode(id);
    },
    async stop() {
      await alpha.stop();
      await beta.stop();
    },
  };
}

export type Connecting = Awaited<ReturnType<typeof startConnecting>> & {
  alpha: AlphaSimulator;
  beta: BetaSimulator;
  oauth: OAuthByProvider;
};

async function aMerchant(app: TestApp): Promise<Merchant> {
  const tenantId = await aTenant(app.db);
  return { ...(await app.signIn({ role: 'client', member: tenantId })), tenantId };
}

async function connect(
  app: TestApp,
  provider: Provider,
  { tenantId, token }: Merchant,
): Promise<string> {
  const path = `/api/v1/client/tenants/${tenantId}/pos-connections/${provider}/connect`;
  const { body } = await app.call({ method: 'POST', path, token });
  const [, url] = /"authorizationUrl":"([^"]+)"/.exec(JSON.stringify(body)) ?? [];
  if (url === undefined) throw new Error(`No authorization URL: ${JSON.stringify(body)}`);
  return url;
}

async function callback(
  app: TestApp,
  provider: Provider,
  query: URLSearchParams | Record<string, string>,
): Promise<string> {
  const path = `/api/v1/oauth/${provider}/callback?${new URLSearchParams(query)}`;
  return redirectOf(await app.call({ path }));
}

/** The query that an answer redirects the frontend's page with, or the answer's status. */
export function redirectOf({ status, headers }: Answer): string {
  const location = headers.get('location') ?? '';
  return status === 302 ? location.replace(`${FRONTEND}/pos?`, '') : `status ${status}`;
}
