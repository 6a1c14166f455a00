import {
  ActivityCancellationType,
  CancellationScope,
  CancelledFailure,
  condition,
  isCancellation,
  log,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  sleep,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities, BatchProgress, FollowedBatch, MailCounts } from '../activities/index.ts';
import type { RedemptionId } from '../domain/ids.ts';

export type FollowSummary = Pick<BatchProgress, 'used' | 'expired'> & {
  /** The mails with codes; null when some were not sent before their codes expired. */
  codeMails: MailCounts | null;
  /** The mails about expiries; null when some were not sent within a day. */
  expiryMails: MailCounts | null;
};

type Steps = Pick<Activities, 'followRedemptions' | 'expireRedemptions'>;

// One statement or two each, in the worker's own process: the common case, at half the cost.
const quick = proxyLocalActivities<Steps>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumAttempts: 3 },
});

// Retried without a limit: points depend on these steps, however long Postgres is down.
const steady = proxyActivities<Steps>({
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
});

const MAILS = {
  startToCloseTimeout: '5 minutes',
  // Longer than one mail may take.
  heartbeatTimeout: '45 seconds',
  retry: { initialInterval: '2 seconds', maximumInterval: '5 minutes' },
  // Once mails are no longer needed, the run does not wait for them to stop.
  cancellationType: ActivityCancellationType.TRY_CANCEL,
} as const;

const { mailExpiries } = proxyActivities<Activities>({ ...MAILS, scheduleToCloseTimeout: '1 day' });

const NO_MAILS: MailCounts = { sent: 0, undeliverable: 0 };

/**
 * Follows redemptions until all are closed: mails the codes while they can be used, has those
 * expired that were not used in time and their points refunded, and informs their owners. Status
 * and time are those of Postgres; this run only waits and asks, so it may be late, lost or started
 * again. No one tells it that a code is used: it finds out when it looks.
 */
export async function followRedemptions(ids: RedemptionId[]): Promise<FollowSummary> {
  const batch = { runId: workflowInfo().originalExecutionRunId, ids };
  let progress = await runStep('followRedemptions', batch);
  const codes = new CancellationScope();
  const mailing = codes.run(() => mailCodesUntil(batch, progress.lastExpiryInMs));
  const owners = new Owners(batch);

  while (progress.open > 0) {
    if (progress.uninformed > 0) owners.inform();
    setCurrentDetails(`${describe(progress)}, ${progress.open} not used yet. Waiting to expire.`);
    await sleep(Math.max(1, progress.nextExpiryInMs));
    progress = await runStep('expireRedemptions', batch);
  }

  codes.cancel();
  setCurrentDetails(`${describe(progress)}.`);
  if (progress.uninformed > 0) owners.inform();
  const { used, expired } = progress;
  const expiryMails = await owners.informed();
  if (CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure('The run was cancelled while it mailed the owners.');
  }
  const summary = { used, expired, codeMails: await mailing, expiryMails };
  const text = `${describe(summary)}. ${describeMails(summary)}`;
  upsertMemo({ summary: text });
  setCurrentDetails(text);
  return summary;
}

async function runStep(step: keyof Steps, batch: FollowedBatch): Promise<BatchProgress> {
  try {
    return await quick[step](batch);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return steady[step](batch);
  }
}

async function mailCodesUntil(
  batch: FollowedBatch,
  expiryInMs: number,
): Promise<MailCounts | null> {
  if (expiryInMs === 0) return NO_MAILS;
  const { mailCodes } = proxyActivities<Activities>({
    ...MAILS,
    // Each attempt says that this run is there; another one mails what it has left.
    retry: { initialInterval: '2 seconds', maximumInterval: '1 minute' },
    // An expired code cannot be used.
    scheduleToCloseTimeout: expiryInMs,
  });
  return outcomeOf(mailCodes(batch));
}

/**
 * Informs owners by one activity at a time, and holds up nothing: codes of a batch may expire at
 * different times, and the mail server may be away.
 */
class Owners {
  readonly #batch: FollowedBatch;
  #counts: MailCounts | null = NO_MAILS;
  #isDue = false;
  #isBusy = false;

  constructor(batch: FollowedBatch) {
    this.#batch = batch;
  }

  /** Mails those who are not informed yet. After a day of failures it has given up. */
  inform(): void {
    this.#isDue = true;
    if (!this.#isBusy) void this.#mail();
  }

  /** Resolves when nobody is left to be informed. */
  async informed(): Promise<MailCounts | null> {
    await condition(() => !this.#isBusy);
    return this.#counts;
  }

  async #mail(): Promise<void> {
    this.#isBusy = true;
    while (this.#isDue && this.#counts !== null) {
      this.#isDue = false;
      const mailed = await outcomeOf(mailExpiries(this.#batch));
      this.#counts = mailed && sumOf(this.#counts, mailed);
    }
    this.#isBusy = false;
  }
}

/** Failed mails do not fail the redemptions. */
async function outcomeOf(mails: Promise<MailCounts>): Promise<MailCounts | null> {
  try {
    return await mails;
  } catch (error) {
    if (!isCancellation(error)) {
      log.warn('Mails about redemptions failed', { event: 'redemption_mail_failed', error });
    }
    return null;
  }
}

function sumOf(one: MailCounts, other: MailCounts): MailCounts {
  const undeliverable = one.undeliverable + other.undeliverable;
  return { sent: one.sent + other.sent, undeliverable };
}

function describe({ used, expired }: Pick<BatchProgress, 'used' | 'expired'>): string {
  return `${used} codes used, ${expired} expired`;
}

function describeMails({ codeMails, expiryMails }: FollowSummary): string {
  const count = (mails: MailCounts | null) => (mails ? `${mails.sent} sent` : 'not all sent');
  return `Code mails ${count(codeMails)}, expiry mails ${count(expiryMails)}.`;
}
