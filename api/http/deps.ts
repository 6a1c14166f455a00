import type { Db } from '../../db/connection.ts';
import type { Provider } from '../../domain/payment.ts';
import type { OAuthStates } from '../../gateways/crypto/oauth-state.ts';
import type { RedemptionCodes } from '../../gateways/crypto/redemption-codes.ts';
import type { Box, Secrets } from '../../gateways/crypto/sealer.ts';
import type { IdentityDirectory } from '../../gateways/identity/directory.ts';
import type { TokenVerifier } from '../../gateways/identity/token-verifier.ts';
import type { ObjectStore } from '../../gateways/objects/store.ts';
import type { ProviderOAuth } from '../../gateways/provider/oauth.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import type { Metrics } from '../../gateways/telemetry/metrics.ts';
import type { Revocations } from '../background/token-revocations.ts';
import type { EventStore } from '../intake/group-commit.ts';
import type { CronJobs } from '../routes/cron.ts';
import type { Orchestrator } from '../temporal/orchestrator.ts';
import type { DrainState } from './draining.ts';
import type { ReportError } from './middleware/error-envelope.ts';
import type { RateLimits } from './rate-limits.ts';

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
    | 'sendInviteLater'
    | 'exchangeOAuthCode'
    | 'stopPollingLater'
  >;
  drainState: Pick<DrainState, 'isAccepting'>;
  eventStore: EventStore;
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
