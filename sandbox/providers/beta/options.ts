import type { AuthStyle } from './deliveries.ts';
import type { Limits } from './limits.ts';
import type { TokenAnswers } from './oauth.ts';

export type BetaOptions = {
  /** 0 picks a free port. */
  port: number;
  /** The app that merchants install. */
  appId: string;
  appSecret: string;
  /** Sent with every webhook except the verification. */
  webhookSecret: string;
  webhookUrl: string;
  /** Where a merchant is redirected after consent and from the provider's market. */
  redirectUrl: string;
  /** Makes ids and chaos repeatable; random when absent. A state file continues its own ids. */
  seed?: number;
  now?: () => Date;
  /** Keeps the world across restarts; in memory only when absent. */
  stateFile?: string;
  /** Where people see what the service made of a payment, if there is such a page. */
  outcomeUrl?: (paymentId: string) => string;
  /** Whether messages are sent again until a 200; not by default. */
  retryMode?: boolean;
  /** The length of a minute of delays and of the retry schedule here; a second by default. */
  minuteMs?: number;
  /** How long the receiver may take to respond; 10 seconds by default. */
  answerTimeoutMs?: number;
  /** Which header carries the webhook secret; `x-beta-auth` by default. */
  authStyle?: AuthStyle;
  /** What the legacy token call returns; `legacy` by default. */
  tokenAnswers?: TokenAnswers;
  /** The keys of the objects the app subscribes to; `P` and `O` by default. */
  subscriptions?: readonly string[];
  /** The real limits where absent. */
  limits?: Partial<Limits>;
  /** The clock of the limits, in milliseconds; the system's by default. */
  elapsedMs?: () => number;
  /** Awaited before each REST response, while the request runs; 5 milliseconds by default. */
  beforeAnswer?: () => Promise<unknown>;
};
