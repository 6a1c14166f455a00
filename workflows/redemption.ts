import {
  ActivityCancellationType,
  CancellationScope,
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
  /** What became of the mail with the code: `stopped` when the code was closed before it went. */
  codeMail: MailOutcome | 'stopped';
  /** What became of the mail about the expiry; null when there was none. */
  expiryMail: MailOutcome | 'stopped' | null;
};

type Steps = Pick<Activities, 'followRedemption' | 'expireRedemption'>;

// One short statement each, in the worker's own process: the common case, for half of the price.
const quick = proxyLocalActivities<Steps>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumAttempts: 3 },
});

// They must come to an end, however long Postgres is away: points wait for it.
const steady = proxyActivities<Steps>({
  startToCloseTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '30 seconds' },
});

const MAIL = {
  startToCloseTimeout: '40 seconds',
  retry: { initialInterval: '2 seconds', maximumInterval: '5 minutes' },
  // A mail that is under way is not worth waiting for once it serves nobody.
  cancellationType: ActivityCancellationType.TRY_CANCEL,
} as const;

const { mailExpiry } = proxyActivities<Activities>({ ...MAIL, scheduleToCloseTimeout: '1 day' });

/**
 * Goes along with a redemption until it is closed: mails the code while it can be used, and when it
 * was not used in time has its points given back and its owner told. What is true is in Postgres,
 * also the time: this run only waits and asks, so that it may be late, lost or started again.
 */
export async function redemption(id: RedemptionId): Promise<RedemptionSummary> {
  let isSignalled = false;
  setHandler(redemptionClosed, () => {
    isSignalled = true;
  });

  let course = await take('followRedemption', id);
  const mails = new CancellationScope();
  const codeMail = mails.run(() => mailCodeUntil(id, course.expiresInMs));

  while (course.status === 'issued') {
    setCurrentDetails('The code was issued and waits for the till, or for its expiry.');
    await condition(() => isSignalled, Math.max(1, course.expiresInMs));
    isSignalled = false;
    course = await take('expireRedemption', id);
  }

  mails.cancel();
  setCurrentDetails(`The code is ${course.status}.`);
  const expiryMail = course.status === 'expired' ? await outcomeOf(mailExpiry(id)) : null;
  const summary = { status: course.status, codeMail: await codeMail, expiryMail };
  upsertMemo({ summary: describe(summary) });
  setCurrentDetails(describe(summary));
  return summary;
}

async function take(step: keyof Steps, id: RedemptionId): ReturnType<Steps[typeof step]> {
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
    // After its expiry a code is of no use to anybody.
    scheduleToCloseTimeout: expiresInMs,
  });
  return outcomeOf(mailCode(id));
}

/** A mail that does not go through is no reason for the redemption to fail. */
async function outcomeOf(mail: Promise<MailOutcome>): Promise<MailOutcome | 'stopped'> {
  try {
    return await mail;
  } catch (error) {
    if (!isCancellation(error)) log.warn('A mail about a redemption did not go through', { error });
    return 'stopped';
  }
}

function describe({ status, codeMail, expiryMail }: RedemptionSummary): string {
  const told = expiryMail === null ? '' : `, mail about it ${expiryMail}`;
  return `Code mail ${codeMail}; code ${status}${told}.`;
}
