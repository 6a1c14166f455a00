import { proxyActivities, setCurrentDetails, upsertMemo } from '@temporalio/workflow';
import type { Activities, MailOutcome } from '../activities/index.ts';
import type { InviteId } from '../domain/ids.ts';

/** What there is to tell: each kind is a table whose rows are the outbox of their own mail. */
export type NoticeKind = 'invite';

const { sendInvite } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  // A mail server or a directory may be away for long. Then the run fails, and reconcile starts anew.
  scheduleToCloseTimeout: '1 day',
  retry: { initialInterval: '2 seconds', maximumInterval: '5 minutes' },
});

/** Tells a person what a committed row says, once, however often it is started. */
export async function notify(kind: NoticeKind, rowId: InviteId): Promise<MailOutcome> {
  setCurrentDetails(`The ${kind} waits to be sent.`);
  const outcome = await sendInvite(rowId);
  setCurrentDetails(`The ${kind} was ${outcome}.`);
  upsertMemo({ summary: outcome });
  return outcome;
}
