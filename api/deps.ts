import type { Db } from '../db/connection.ts';
import type { Provider } from '../domain/payment.ts';
import type { IdentityDirectory } from '../gateways/directory.ts';
import type { TokenVerifier } from '../gateways/identity.ts';
import type { Logger } from '../gateways/logger.ts';
import type { Metrics } from '../gateways/metrics.ts';
import type { ProviderOAuth } from '../gateways/oauth.ts';
import type { OAuthStates } from '../gateways/oauth-state.ts';
import type { ObjectStore } from '../gateways/object-store.ts';
import type { RedemptionCodes } from '../gateways/redemption-codes.ts';
import type { Box, Secrets } from '../gateways/secrets.ts';
import type { EventIntake } from './event-intake.ts';
import type { ReportError } from './middleware/error-envelope.ts';
import type { Orchestrator } from './orchestrator.ts';
import type { Presence } from './presence.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Revocations } from './revocations.ts';
import type { CronJobs } from './routes/cron.ts';

export type AlphaSetup = {
  environment: 'sandbox' | 'production';
  /** Where alpha is asked, and merchants are sent to connect. */
  origin: string;
  appIdConfigured: boolean;
  appSecretConfigured: boolean;
};

/** The part of the configuration that requests need. */
export type ApiSettings = {
  apiBaseUrl: string;
  /** Where merchants go after they have connected a provider. */
  frontendUrl: string;
  corsAllowedOrigins: readonly string[];
  adminEmailDomain: string;
  bootstrapAdminEmails: readonly string[];
  cronSecrets: readonly string[];
  /** None: every alpha webhook is refused. */
  alphaWebhookSignatureKeys: readonly string[];
  /** None: every beta webhook but the handshake is refused. */
  betaWebhookSecret?: string | undefined;
  /** The app whose events are taken; none takes those of any. */
  betaAppId?: string | undefined;
  /** What a stored object's path follows in its public address. */
  objectsUrl: string;
  /** How alpha is set up, without its secrets: an alpha app is configured by both its names. */
  alpha: AlphaSetup;
  /** The environment's name, shown by `/health`. */
  env: string;
};

/** What every handler is given besides the request itself. */
export type Deps = {
  db: Db;
  orchestrator: Pick<
    Orchestrator,
    | 'isReachable'
    | 'followRedemptionLater'
    | 'closeRedemptionLater'
    | 'notifyLater'
    | 'exchangeOAuthCode'
    | 'stopPollingLater'
  >;
  presence: Pick<Presence, 'isWelcoming'>;
  intake: EventIntake;
  verifyToken: TokenVerifier;
  directory: Pick<IdentityDirectory, 'isKnown'>;
  settings: ApiSettings;
  limits: RateLimits;
  /** Seals what is stored of answers that hold a secret. */
  box: Box;
  codes: RedemptionCodes;
  /** Seals what providers give. */
  secrets: Secrets;
  oauth: Readonly<Record<Provider, ProviderOAuth>>;
  oauthStates: OAuthStates;
  revocations: Pick<Revocations, 'revokeLater'>;
  objects: ObjectStore;
  cron: CronJobs;
  metrics: Metrics;
  now: () => Date;
  log: Logger;
  report: ReportError;
};
