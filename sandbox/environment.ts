import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROVIDERS, type Provider } from '../domain/payment.ts';
import { publicPushKey } from '../gateways/push/pusher.ts';
import { ADMIN_EMAIL_DOMAIN, PEOPLE } from './identity/people.ts';
import { CLIENT_ID } from './identity/sign-in.ts';
import { named } from './processes/inherited.ts';
import type { Ports } from './processes/kept-ports.ts';
import { simulatedProviders } from './providers/index.ts';
import type { State } from './state.ts';

/** The audience of the access tokens. */
export const AUDIENCE = 'loyalty-api';
/** Not the name of a real installation's namespace, whose tasks a worker here must not take. */
export const NAMESPACE = 'loyalty-sandbox';

/** What the shell may change of the service; nothing else of it reaches the service. */
const TUNED = [
  'ADJUST_LIMIT_PER_DAY',
  'ALPHA_BACKUP_POLL_INTERVAL_SECONDS',
  'ALPHA_POLL_INTERVAL_SECONDS',
  'EXPIRED_CODES',
  'LOG_LEVEL',
  'PAYMENT_REFUNDS',
  'RATE_LIMIT_LOOKUPS',
  'RATE_LIMIT_READS',
  'RATE_LIMIT_WEBHOOKS',
  'RATE_LIMIT_WRITES',
  'SHUTDOWN_GRACE_SECONDS',
  'SWEEP_INTERVAL_SECONDS',
  'TRUTH_REPAIRS',
] as const;

/** The addresses that the service has to know. */
export type Addresses = {
  ports: Pick<Ports, 'api' | 'apiMetrics' | 'workerMetrics'>;
  databaseUrl: string;
  temporalAddress: string;
  issuer: string;
  smtpUrl: string;
  providerUrls: Readonly<Record<Provider, string>>;
  appsUrl: string;
};

/** Returns the API's public address in the sandbox. */
export function apiUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Returns where a provider sends its webhooks. */
export function webhookUrl(api: string, provider: Provider): string {
  return `${api}/api/v1/webhooks/${provider}`;
}

/** Builds the settings of the API and the worker, as an operator would set them. */
export function serviceSettings(dir: string, state: State, at: Addresses): Record<string, string> {
  return {
    TRUTH_REPAIRS: 'both',
    ...named(TUNED),
    HOST: '127.0.0.1',
    PORT: String(at.ports.api),
    METRICS_PORT: String(at.ports.apiMetrics),
    WORKER_HEALTH_PORT: String(at.ports.workerMetrics),
    API_BASE_URL: apiUrl(at.ports.api),
    FRONTEND_URL: at.appsUrl,
    CORS_ALLOWED_ORIGINS: ['loopback', process.env.CORS_ALLOWED_ORIGINS ?? ''].join(','),
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    VAPID_PRIVATE_KEY: state.secrets.pushKey,
    VAPID_PUBLIC_KEY: publicPushKey(state.secrets.pushKey),
    DATABASE_URL: at.databaseUrl,
    TEMPORAL_ADDRESS: at.temporalAddress,
    TEMPORAL_NAMESPACE: NAMESPACE,
    OIDC_ISSUER: at.issuer,
    OIDC_AUDIENCE: AUDIENCE,
    DOCS_CLIENT_ID: CLIENT_ID,
    OIDC_ADMIN_CLIENTS: CLIENT_ID,
    OIDC_MERCHANT_CLIENTS: CLIENT_ID,
    ADMIN_EMAIL_DOMAIN,
    BOOTSTRAP_ADMIN_EMAILS: PEOPLE.admin.email,
    ENCRYPTION_KEY: state.secrets.encryptionKey,
    CRON_SECRET: state.secrets.cronSecret,
    ...Object.fromEntries(PROVIDERS.flatMap((name) => providerEntries(name, state, at))),
    SMTP_URL: at.smtpUrl,
    MAIL_FROM: 'Loyalty <loyalty@loyalty.example>',
    OBJECT_STORE_URL: pathToFileURL(join(dir, 'objects')).href,
    NODE_ENV: 'sandbox',
  };
}

function providerEntries(provider: Provider, state: State, { providerUrls }: Addresses) {
  const secrets = state.secrets.providers[provider];
  return Object.entries(simulatedProviders[provider].environment(providerUrls[provider], secrets));
}
