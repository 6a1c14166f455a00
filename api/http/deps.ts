import type { announce } from '../../db/changes/announce.ts';
import type { Db } from '../../db/connection.ts';
import type { RefundPolicy } from '../../domain/refund.ts';
import type { TokenPolicy } from '../../domain/token-grant.ts';
import type { OAuthStates } from '../../gateways/crypto/oauth-state.ts';
import type { RedemptionCodes } from '../../gateways/crypto/redemption-codes.ts';
import type { Sealer } from '../../gateways/crypto/sealer.ts';
import type { StatementKeys } from '../../gateways/crypto/statement-keys.ts';
import type { StopLinks } from '../../gateways/crypto/stop-links.ts';
import type { TokenVerifier } from '../../gateways/identity/token-verifier.ts';
import type { ObjectStore } from '../../gateways/objects/store.ts';
import type {
  ProviderClients,
  ProviderSettings,
  WebhookSettings,
} from '../../gateways/providers/index.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import type { Metrics } from '../../gateways/telemetry/metrics.ts';
import type { CronJobs } from '../cron-jobs.ts';
import type { EventStore } from '../intake/group-commit.ts';
import type { Streams } from '../streams/streams.ts';
import type { Orchestrator } from '../temporal/orchestrator.ts';
import type { RateLimits } from './access/rate-limits.ts';
import type { DrainState } from './draining.ts';
import type { ReportError } from './middleware/error-envelope.ts';
import type { Readiness } from './readiness.ts';

/** The part of the configuration that requests need. */
export type ApiSettings = {
  apiBaseUrl: string;
  /** Where merchants are sent after connecting a provider. */
  frontendUrl: string;
  corsAllowedOrigins: readonly string[];
  /** Whether every http origin of the caller's own machine is allowed as well. */
  corsAllowsLoopback: boolean;
  /** Whether the OAuth callback requires the cookie of the browser that began. */
  oauthBindBrowser: boolean;
  adminEmailDomain: string;
  /** The points that an administrator may credit, and debit, in 24 hours; 0 is no limit. */
  adjustLimitPerDay: number;
  /** Whether refunds take points back. */
  refunds: RefundPolicy;
  bootstrapAdminEmails: readonly string[];
  /** What is asked of access tokens besides whose they are. */
  tokens: TokenPolicy;
  cronSecrets: readonly string[];
  /** The settings of the providers, by which webhooks are verified. */
  providers: ProviderSettings & WebhookSettings;
  /** The public address of stored objects, to which an object's path is appended. */
  objectsUrl: string;
  /** The identity provider, whose tokens are accepted. */
  oidcIssuer: string;
  /** The public client with which readers of the reference page sign in, if they can. */
  docsClientId?: string | undefined;
  /** Whether events may be sent to this machine, as in the sandbox. */
  webhooksAllowLoopback: boolean;
  /** By which browsers let themselves be told of points; undefined where that is off. */
  pushKey?: string | undefined;
  /** The environment's name, shown by `/health`. */
  env: string;
};

/** `announce` for the database of the process, not for a transaction of it. */
type Announce = (changed: Parameters<typeof announce>[1]) => void;

/** What every handler receives besides the request. */
export type Deps = {
  db: Db;
  orchestrator: Pick<
    Orchestrator,
    | 'followRedemptionLater'
    | 'sendInviteLater'
    | 'rehearseLater'
    | 'bringIn'
    | 'exchangeOAuthCode'
    | 'stopPollingLater'
    | 'deliverEventsLater'
  >;
  drainState: Pick<DrainState, 'isAccepting'>;
  readiness: Readiness;
  eventStore: EventStore;
  verifyToken: TokenVerifier;
  settings: ApiSettings;
  limits: RateLimits;
  /** Seals stored responses that contain a secret. */
  bodySealer: Sealer;
  /** Recognises a contact without storing it. */
  contactProofs: Sealer['fingerprints'];
  /** Those of payments and imports, by which whoever verifies a contact is found. */
  contactFingerprints: (contact: string) => readonly [Buffer, ...Buffer[]];
  codes: RedemptionCodes;
  /** Seals the tokens and authorization codes of providers. */
  tokenSealer: Sealer;
  /** Seals the secrets of tenants' endpoints. */
  webhookSealer: Sealer;
  /** Reads the links by which mails are switched off. */
  stopLinks: StopLinks;
  providers: ProviderClients;
  oauthStates: OAuthStates;
  objects: ObjectStore;
  /** The keys that verify signed statements. */
  statementKeys: Pick<StatementKeys, 'known'>;
  cron: CronJobs;
  /** The streams of events that are open in this process. */
  streams: Pick<Streams, 'open'>;
  /** Announces to the open streams what a request has changed, to be called after its commit. */
  announce: Announce;
  metrics: Metrics;
  now: () => Date;
  log: Logger;
  report: ReportError;
};
