import type { Db } from '../db/connection.ts';
import type { IdentityDirectory } from '../gateways/directory.ts';
import type { TokenVerifier } from '../gateways/identity.ts';
import type { Logger } from '../gateways/logger.ts';
import type { ObjectStore } from '../gateways/object-store.ts';
import type { RedemptionCodes } from '../gateways/redemption-codes.ts';
import type { Box } from '../gateways/secrets.ts';
import type { EventIntake } from './event-intake.ts';
import type { ReportError } from './middleware/error-envelope.ts';
import type { Orchestrator } from './orchestrator.ts';
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
  corsAllowedOrigins: readonly string[];
  adminEmailDomain: string;
  bootstrapAdminEmails: readonly string[];
  cronSecrets: readonly string[];
  /** None: every alpha webhook is refused. */
  alphaWebhookSignatureKeys: readonly string[];
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
    'isReachable' | 'followRedemptionLater' | 'closeRedemptionLater' | 'notifyLater'
  >;
  intake: EventIntake;
  verifyToken: TokenVerifier;
  directory: Pick<IdentityDirectory, 'isKnown'>;
  settings: ApiSettings;
  limits: RateLimits;
  /** Seals what is stored of answers that hold a secret. */
  box: Box;
  codes: RedemptionCodes;
  objects: ObjectStore;
  now: () => Date;
  log: Logger;
  report: ReportError;
};
