import type { Config, WorkerConfig } from './config.ts';
import {
  directoryCheck,
  mailCheck,
  objectsCheck,
  providerChecks,
} from './gateways/checks/account-checks.ts';
import { clockCheck, issuerCheck, publicAddressCheck } from './gateways/checks/address-checks.ts';
import type { Check } from './gateways/checks/check.ts';
import { createSealer, createSubkeys } from './gateways/crypto/sealer.ts';
import {
  publicStatementKeysFor,
  type StatementKeys,
  statementKeysFor,
} from './gateways/crypto/statement-keys.ts';
import { createStopLinks, type StopLinks } from './gateways/crypto/stop-links.ts';
import { createDirectory } from './gateways/identity/create-directory.ts';
import type { IdentityDirectory } from './gateways/identity/directory.ts';
import { createTokenVerifier, type TokenVerifier } from './gateways/identity/token-verifier.ts';
import { createMailer, type Mailer } from './gateways/mail/mailer.ts';
import { createObjectStore } from './gateways/objects/create-store.ts';
import type { ObjectStore } from './gateways/objects/store.ts';
import {
  openProviders,
  type ProviderClients,
  type ProviderSettings,
  type WebhookSettings,
} from './gateways/providers/index.ts';
import type { CallShares } from './gateways/providers/shared/shared-limits.ts';
import { createPusher, type Pusher } from './gateways/push/pusher.ts';
import { createErrorReporter, type ErrorReporter } from './gateways/telemetry/error-reporter.ts';
import { createLogger, type Logger } from './gateways/telemetry/logger.ts';
import type { Metrics } from './gateways/telemetry/metrics.ts';
import { startTracing, type Tracing } from './gateways/telemetry/tracing.ts';
import { createWebhookSender } from './gateways/webhooks/sender.ts';

// The gateways of a process, made from the configuration, on which API and worker must agree.

type Service = 'api' | 'worker';

/**
 * Creates the log of a process; each line has the correlation id that is current. The first says
 * that tenants may have this machine called, where they may.
 */
export function loggerFrom(
  { LOG_LEVEL: level, WEBHOOK_ALLOW_LOOPBACK: allowsLoopback }: WorkerConfig,
  service: Service,
  correlationId: () => string | undefined,
): Logger {
  const log = createLogger({ level, service, correlationId });
  if (allowsLoopback) {
    const event = 'webhooks_to_loopback';
    log.warn({ event }, 'WEBHOOK_ALLOW_LOOPBACK is set: tenants may have this machine called');
  }
  return log;
}

/** Creates the reporter of a process's bugs, which reports nothing without a DSN. */
export async function errorReporterFrom(
  config: WorkerConfig,
  service: Service,
): Promise<ErrorReporter> {
  const { SENTRY_DSN: dsn, NODE_ENV: environment } = config;
  return createErrorReporter({ dsn, service, environment });
}

/** Has a process send its traces, where OTEL_EXPORTER_OTLP_ENDPOINT says where to. */
export async function tracingFrom(config: WorkerConfig, service: Service): Promise<Tracing> {
  const isOn = config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
  return startTracing({ isOn, service: `loyalty-${service}` });
}

/** Creates the mailer. */
export function mailerFrom({ SMTP_URL: url, MAIL_FROM: from }: WorkerConfig): Mailer {
  return createMailer({ url, from });
}

/** Creates the directory of the identity provider. */
export function directoryFrom(config: Pick<WorkerConfig, DirectoryNames>): IdentityDirectory {
  return createDirectory({
    kind: config.IDENTITY_DIRECTORY,
    adminUrl: config.IDENTITY_ADMIN_URL,
    adminToken: config.IDENTITY_ADMIN_TOKEN,
  });
}

/** Creates the verifier of the issuer's access tokens. */
export function tokenVerifierFrom(config: WorkerConfig, log: Logger): TokenVerifier {
  const settings = {
    issuer: config.OIDC_ISSUER,
    audience: config.OIDC_AUDIENCE,
    jwksUrl: config.OIDC_JWKS_URL,
    emailClaim: config.OIDC_EMAIL_CLAIM,
    emailVerifiedClaim: config.OIDC_EMAIL_VERIFIED_CLAIM,
    phoneClaim: config.OIDC_PHONE_CLAIM,
    phoneVerifiedClaim: config.OIDC_PHONE_VERIFIED_CLAIM,
    clientIntentClaim: config.OIDC_CLIENT_INTENT_CLAIM,
  };
  return createTokenVerifier(settings, log);
}

/** Creates the keys that verify statements, of a process that signs none. */
export function publicStatementKeysFrom(config: Config): Pick<StatementKeys, 'known'> {
  const { ENCRYPTION_KEY: encryptionKeys, STATEMENT_PUBLIC_KEYS: publicKeys } = config;
  return publicStatementKeysFor({ encryptionKeys, publicKeys });
}

/** Creates the keys of statements. */
export function statementKeysFrom(config: WorkerConfig): StatementKeys {
  return statementKeysFor({
    encryptionKeys: config.ENCRYPTION_KEY,
    signingKeys: config.STATEMENT_SIGNING_KEY,
    publicKeys: config.STATEMENT_PUBLIC_KEYS,
  });
}

/** Creates the store of pictures and statements. */
export function objectStoreFrom(config: Pick<WorkerConfig, StoreNames>): ObjectStore {
  return createObjectStore({
    url: config.OBJECT_STORE_URL,
    accessKeyId: config.AWS_ACCESS_KEY_ID,
    secretAccessKey: config.AWS_SECRET_ACCESS_KEY,
  });
}

/** Opens the providers, whose limits all processes share. Calls and refreshes are measured. */
export function providersFrom(
  config: WorkerConfig,
  metrics: Metrics,
  shares: CallShares,
): ProviderClients {
  return openProviders(config, metrics, { apiBaseUrl: config.API_BASE_URL, shares });
}

/**
 * Creates what seals stored responses and the secrets of tenants' endpoints, and what recognises
 * contacts and subjects.
 */
export function sealersFrom({ ENCRYPTION_KEY: ring }: Pick<WorkerConfig, 'ENCRYPTION_KEY'>) {
  return {
    bodySealer: createSealer(createSubkeys(ring, 'sealed bodies')),
    contactProofs: createSealer(createSubkeys(ring, 'contact proofs')).fingerprints,
    contactFingerprints: createSealer(createSubkeys(ring, 'contact fingerprints')).fingerprints,
    webhookSealer: createSealer(createSubkeys(ring, 'webhook secrets')),
  };
}

/** Creates the links by which mails are switched off. */
export function stopLinksFrom({
  ENCRYPTION_KEY: ring,
  API_BASE_URL: base,
}: WorkerConfig): StopLinks {
  return createStopLinks(ring, base);
}

/** Creates what delivers events to tenants' endpoints. */
export function webhooksFrom({ WEBHOOK_ALLOW_LOOPBACK: allowsLoopback }: WorkerConfig) {
  return createWebhookSender({ allowsLoopback });
}

type StoreNames = 'OBJECT_STORE_URL' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY';
type DirectoryNames = 'IDENTITY_DIRECTORY' | 'IDENTITY_ADMIN_URL' | 'IDENTITY_ADMIN_TOKEN';
/** What checks of the surroundings read. */
type Surrounding = ProviderSettings &
  Pick<WorkerConfig, StoreNames | DirectoryNames> &
  Pick<WorkerConfig, 'API_BASE_URL' | 'OIDC_ISSUER' | 'OIDC_JWKS_URL' | 'SMTP_URL'>;

type CheckOptions = {
  /** Of a process that has the keys of webhooks. */
  webhooks: WebhookSettings | undefined;
  /** Whether an object may be written, and deleted. */
  writes: boolean;
  /** How long the public address is waited for. */
  publicForMs?: number;
};

/** Creates the checks of what the service has around it, but for Postgres and Temporal. */
export function checksFrom(config: Surrounding, options: CheckOptions): Check[] {
  const issuer = { issuer: config.OIDC_ISSUER, jwksUrl: config.OIDC_JWKS_URL };
  const unmeasured = { providerAsked() {}, tokenRefreshed() {} };
  const clients = openProviders(config, unmeasured, { apiBaseUrl: config.API_BASE_URL });
  return [
    issuerCheck(issuer),
    clockCheck(issuer),
    mailCheck(config.SMTP_URL),
    objectsCheck(objectStoreFrom(config), options),
    directoryCheck(directoryFrom(config)),
    ...providerChecks(clients, config, options.webhooks),
    publicAddressCheck(config.API_BASE_URL, options.publicForMs),
  ];
}

/** Creates what tells phones; undefined without VAPID_PRIVATE_KEY. */
export function pusherFrom(config: WorkerConfig): Pusher | undefined {
  const { VAPID_PRIVATE_KEY: privateKey, WEBHOOK_ALLOW_LOOPBACK: allowsLoopback } = config;
  if (privateKey === undefined) return undefined;
  const contact = `mailto:${/<([^<>]+)>\s*$/.exec(config.MAIL_FROM)?.[1] ?? config.MAIL_FROM}`;
  return createPusher({ privateKey, contact, allowsLoopback });
}
