import { proxyActivities, setCurrentDetails, upsertMemo } from '@temporalio/workflow';
import type { Activities, InviteMailOutcome } from '../activities/index.ts';
import type { InviteId } from '../domain/ids.ts';

const { sendInvite } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  // After a long outage of the mail server or directory the run fails; reconcile starts another.
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '2 seconds', maximumInterval: '5 minutes' },
});

/**
 * Mails a committed invite, once, however often it is started. A mail that is deferred, because its
 * address had one within the last day, is left to reconcile.
 */
export async function notify(id: InviteId): Promise<InviteMailOutcome> {
  setCurrentDetails('Sending the invite.');
  const outcome = await sendInvite(id);
  setCurrentDetails(`Invite mail ${outcome}.`);
  upsertMemo({ summary: outcome });
  return outcome;
}
