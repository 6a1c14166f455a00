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
  setHandler,
  upsertMemo,
} from '@temporalio/workflow';
import type { Activities, MailOutcome } from '../activities/index.ts';
import type { RedemptionId } from '../domain/ids.ts';
import type { RedemptionStatus } from '../domain/redemption.ts';
import { redemptionClosed } from './messages.ts';

export type RedemptionSummary = {
  status: RedemptionStatus;
  /** How the mail with the code ended: `stopped` when the code was closed before it was sent. */
  codeMail: MailOutcome | 'stopped';
  /** How the mail about the expiry ended; null when there was no expiry. */
  expiryMail: MailOutcome | 'stopped' | null;
};

type Steps = Pick<Activities, 'followRedemption' | 'expireRedemption'>;

// One short statement each, in the worker's own process: the common case, at half the cost.
const quick = proxyLocalActivities<Steps>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumAttempts: 3 },
});

// Retried without a limit: points depend on these steps, however long Postgres is down.
const steady = proxyActivities<Steps>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
});

const MAIL = {
  startToCloseTimeout: '40 seconds',
  retry: { initialInterval: '2 seconds', maximumInterval: '5 minutes' },
  // Once a mail is no longer needed, the run does not wait for it to stop.
  cancellationType: ActivityCancellationType.TRY_CANCEL,
} as const;

const { mailExpiry } = proxyActivities<Activities>({ ...MAIL, scheduleToCloseTimeout: '1 day' });

/**
 * Follows a redemption until it is closed: mails the code while it can be used, and when it expires
 * unused has the points refunded and the owner informed. Status and time are those of Postgres;
 * this run only waits and asks, so it may be late, lost or started again.
 */
export async function redemption(id: RedemptionId): Promise<RedemptionSummary> {
  let isSignalled = false;
  setHandler(redemptionClosed, () => {
    isSignalled = true;
  });

  let progress = await runStep('followRedemption', id);
  const mails = new CancellationScope();
  const codeMail = mails.run(() => mailCodeUntil(id, progress.expiresInMs));

  while (progress.status === 'issued') {
    setCurrentDetails('The code is issued. Waiting for the till or the expiry.');
    await condition(() => isSignalled, Math.max(1, progress.expiresInMs));
    isSignalled = false;
    progress = await runStep('expireRedemption', id);
  }

  mails.cancel();
  setCurrentDetails(`The code is ${progress.status}.`);
  const expiryMail = progress.status === 'expired' ? await outcomeOf(mailExpiry(id)) : null;
  if (CancellationScope.current().consideredCancelled) {
    throw new CancelledFailure('The run was cancelled while it mailed the owner.');
  }
  const summary = { status: progress.status, codeMail: await codeMail, expiryMail };
  upsertMemo({ summary: describe(summary) });
  setCurrentDetails(describe(summary));
  return summary;
}

async function runStep(step: keyof Steps, id: RedemptionId): ReturnType<Steps[typeof step]> {
  try {
    return await quick[step](id);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return steady[step](id);
  }
}

async function mailCodeUntil(
  id: RedemptionId,
  expiresInMs: number,
): Promise<MailOutcome | 'stopped'> {
  if (expiresInMs === 0) return 'stopped';
  const { mailCode } = proxyActivities<Activities>({
    ...MAIL,
    // An expired code cannot be used.
    scheduleToCloseTimeout: expiresInMs,
  });
  return outcomeOf(mailCode(id));
}

/** A failed mail does not fail the redemption. */
async function outcomeOf(mail: Promise<MailOutcome>): Promise<MailOutcome | 'stopped'> {
  try {
    return await mail;
  } catch (error) {
    if (!isCancellation(error)) {
      log.warn('A mail about a redemption failed', { event: 'redemption_mail_failed', error });
    }
    return 'stopped';
  }
}

function describe({ status, codeMail, expiryMail }: RedemptionSummary): string {
  const expiry = expiryMail === null ? '' : `, expiry mail ${expiryMail}`;
  return `Code mail ${codeMail}; code ${status}${expiry}.`;
}
