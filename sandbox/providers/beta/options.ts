import type { AuthStyle } from './deliveries.ts';
import type { Limits } from './limits.ts';
import type { TokenAnswers } from './oauth.ts';

export type BetaOptions = {
  /** 0 takes a free one. */
  port: number;
  /** The app that merchants install. */
  appId: string;
  appSecret: string;
  /** What every webhook but the handshake carries. */
  webhookSecret: string;
  webhookUrl: string;
  /** Where a merchant is sent after its consent, and from the provider's market. */
  redirectUrl: string;
  /** Makes ids and faults repeatable; random when absent. A state file brings its own ids. */
  seed?: number;
  now?: () => Date;
  /** Where the world is kept over restarts; in memory only when absent. */
  stateFile?: string;
  /** Whether a message that was not answered with 200 is sent again; not by default. */
  retryMode?: boolean;
  /** How long a minute of delays and of the retry schedule takes here, a second by default. */
  minuteMs?: number;
  /** How long an answer to a webhook may take, 10 seconds by default. */
  answerTimeoutMs?: number;
  /** Which header carries the webhook secret, `x-beta-auth` by default. */
  authStyle?: AuthStyle;
  /** What the legacy token call answers, `legacy` by default. */
  tokenAnswers?: TokenAnswers;
  /** The keys of the objects the app hears of: `P` and `O` by default. */
  subscriptions?: readonly string[];
  /** The real ones where absent. */
  limits?: Partial<Limits>;
  /** The clock of the limits, in milliseconds; the machine's by default. */
  elapsedMs?: () => number;
  /** What each REST answer waits for while it counts as running; 5 milliseconds by default. */
  beforeAnswer?: () => Promise<unknown>;
};
