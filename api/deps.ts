import type { Db } from '../db/connection.ts';
import type { TokenVerifier } from '../gateways/identity.ts';
import type { Logger } from '../gateways/logger.ts';
import type { EventIntake } from './event-intake.ts';
import type { ReportError } from './middleware/error-envelope.ts';
import type { Orchestrator } from './orchestrator.ts';

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
  /** The environment's name, shown by `/health`. */
  env: string;
};

/** What every handler is given besides the request itself. */
export type Deps = {
  db: Db;
  orchestrator: Pick<Orchestrator, 'isReachable'>;
  intake: EventIntake;
  verifyToken: TokenVerifier;
  settings: ApiSettings;
  now: () => Date;
  log: Logger;
  report: ReportError;
};
