import Koa from 'koa';
import { createApp } from '../api/app.ts';
import { createRateLimits } from '../api/http/access/rate-limits.ts';
import type { Deps } from '../api/http/deps.ts';
import { currentCorrelationId } from '../api/http/middleware/correlation-id.ts';
import { createReadiness } from '../api/http/readiness.ts';
import { serve } from '../api/http/server.ts';
import { createEventStore, type EventStore } from '../api/intake/group-commit.ts';
import { receiveEventOf } from '../api/routes/webhooks/receive-event.ts';
import { connect, type Db } from '../db/connection.ts';
import * as webhookEvents from '../db/events/webhook-events.ts';
import { createOAuthStates } from '../gateways/crypto/oauth-state.ts';
import { createRedemptionCodes } from '../gateways/crypto/redemption-codes.ts';
import { createSealer } from '../gateways/crypto/sealer.ts';
import { createStopLinks } from '../gateways/crypto/stop-links.ts';
import { createObjectStore } from '../gateways/objects/create-store.ts';
import { openProviders, ProviderSettings, WebhookSettings } from '../gateways/providers/index.ts';
import { createLogger } from '../gateways/telemetry/logger.ts';
import { createMetrics } from '../gateways/telemetry/metrics.ts';
import { openDispatcher } from './peers/dispatcher.ts';
import { API_BASE_URL, SIGNATURE_KEY } from './settings.ts';

const ONE_INSERT_POOL_SIZE = 20;
const API_POOL_SIZE = 10;
const GRACE_MS = 5_000;
const KEYS = [{ id: 'k1', key: new Uint8Array(32) }];
const log = createLogger({ level: 'warn', service: 'api', correlationId: currentCorrelationId });
const NO_LIMITS = { reads: 0, writes: 0, lookups: 0, webhooks: 0 } as const;

/**
 * Serves what the API is compared with: `bare`, a Koa that only answers; `one-insert`, our webhook
 * with one INSERT per delivery; `without-temporal`, our webhook that dispatches nothing; `queued`,
 * our webhook that dispatches through the engine of this setting.
 */
async function main([
  kind,
  port,
  databaseUrl = '',
  setting = '',
]: readonly string[]): Promise<void> {
  const app = await appOf(kind, databaseUrl, setting);
  const server = await serve(app, { host: '127.0.0.1', port: Number(port) });
  const stop = () => void server.close(GRACE_MS).then(() => process.exit());
  process.once('SIGTERM', stop);
  process.once('disconnect', stop);
}

async function appOf(kind: string | undefined, databaseUrl: string, setting: string): Promise<Koa> {
  if (kind === 'bare') return bareApp();
  if (kind === 'one-insert') {
    const db = connect(databaseUrl, ONE_INSERT_POOL_SIZE, 'bench-one-insert');
    return appWith(db, { store: async (event) => void (await webhookEvents.insert(db, [event])) });
  }
  const db = connect(databaseUrl, API_POOL_SIZE, 'bench-without-temporal');
  const dispatcher = kind === 'queued' ? await openDispatcher(setting, log) : { add() {} };
  return appWith(db, createEventStore({ db, dispatcher }));
}

function bareApp(): Koa {
  const app = new Koa();
  app.use((ctx) => {
    ctx.body = { ok: true };
  });
  return app;
}

const PROVIDERS = ProviderSettings.parse({});
const WEBHOOKS = WebhookSettings.parse({ ALPHA_WEBHOOK_SIGNATURE_KEY: SIGNATURE_KEY });

function appWith(db: Db, eventStore: EventStore): Koa {
  const metrics = createMetrics('api');
  const deps: Deps = {
    db,
    eventStore,
    orchestrator: {
      followRedemptionLater() {},
      sendInviteLater() {},
      rehearseLater() {},
      stopPollingLater() {},
      deliverEventsLater() {},
      bringIn: async () => {},
      exchangeOAuthCode: async () => {},
    },
    verifyToken: async () => {
      throw new Error('No route of this server needs a token.');
    },
    readiness: createReadiness(db, { isReachable: async () => false }),
    drainState: { isAccepting: () => true },
    settings: {
      apiBaseUrl: API_BASE_URL,
      frontendUrl: API_BASE_URL,
      corsAllowsLoopback: false,
      webhooksAllowLoopback: false,
      oauthBindBrowser: false,
      objectsUrl: API_BASE_URL,
      oidcIssuer: 'http://127.0.0.1:9',
      corsAllowedOrigins: [],
      adjustLimitPerDay: 0,
      refunds: 'reverse',
      adminEmailDomain: 'bench.example',
      bootstrapAdminEmails: [],
      tokens: {
        adminClients: [],
        merchantClients: [],
        needsScopes: false,
        adminMaxAuthAge: undefined,
        adminAcr: undefined,
      },
      cronSecrets: [],
      providers: { ...PROVIDERS, ...WEBHOOKS },
      env: 'production',
    },
    limits: createRateLimits({ db, perMinute: NO_LIMITS, log }),
    bodySealer: createSealer(KEYS),
    contactProofs: createSealer(KEYS).fingerprints,
    contactFingerprints: createSealer(KEYS).fingerprints,
    codes: createRedemptionCodes(KEYS),
    tokenSealer: createSealer(KEYS),
    webhookSealer: createSealer(KEYS),
    stopLinks: createStopLinks(KEYS, API_BASE_URL),
    statementKeys: { known: [] },
    providers: openProviders(PROVIDERS, metrics, { apiBaseUrl: API_BASE_URL }),
    oauthStates: createOAuthStates(KEYS),
    objects: createObjectStore({ url: 'file:///nowhere' }),
    cron: {
      poll: async () => ({ connectionsScanned: 0, paymentsProcessed: 0, errors: 0 }),
      processPending: async () => ({ scanned: 0, succeeded: 0, failed: 0, limit: 0 }),
    },
    streams: { open: () => Promise.reject(new Error('There are no streams here.')) },
    announce() {},
    metrics,
    now: () => new Date(),
    log,
    report: () => {},
  };
  return createApp([receiveEventOf('alpha')], deps);
}

await main(process.argv.slice(2));
