import type { Db } from '../../db/connection.ts';
import * as waiting from '../../db/notices/waiting.ts';
import { isInDomain } from '../../domain/account-status.ts';
import type { UserId } from '../../domain/ids.ts';
import { waitingMail } from '../../domain/texts/waiting-mail.ts';
import type { StopLinks } from '../../gateways/crypto/stop-links.ts';
import type { Mailer } from '../../gateways/mail/mailer.ts';
import { renderMail } from '../../gateways/mail/render-mail.ts';
import { type DueWorker, type Outcome, tasksOf } from '../due-work/worker.ts';
import { sendNotice } from '../notices.ts';

export type WaitingNoticeDeps = {
  db: Db;
  mailer: Mailer;
  stopLinks: Pick<StopLinks, 'urlOf'>;
  frontendUrl: string;
  adminEmailDomain: string;
};

/**
 * Mails the administrators that merchants wait. All applications of an hour are due when the hour
 * ends, and come in one mail. Run twice, each mail has the same id.
 */
export function tellOfWaiting(deps: WaitingNoticeDeps): DueWorker<'tell_of_waiting'> {
  return {
    kind: 'tell_of_waiting',
    batch: 500,
    atOnce: 500,
    backOff: { firstSeconds: 300, longestSeconds: 3_600 },
    async prepare(items) {
      const applicants = await waiting.findWaiting(
        deps.db,
        items.map(({ id }) => id),
      );
      const ids = applicants.map(({ id }) => id);
      let told: Promise<Outcome> | undefined;
      const tellOnce = () => {
        told ??= tell(deps, ids);
        return told;
      };
      return tasksOf(items, async () => applicants, tellOnce);
    },
  };
}

async function tell(
  { db, mailer, stopLinks, frontendUrl, adminEmailDomain }: WaitingNoticeDeps,
  applicants: readonly UserId[],
): Promise<Outcome> {
  let outcome: Outcome = 'done';
  for (const recipient of await waiting.listRecipients(db)) {
    // An administrator with another address may do nothing.
    if (!isInDomain(recipient, adminEmailDomain)) continue;
    const content = waitingMail({
      count: applicants.length,
      officeUrl: `${frontendUrl}/office`,
      choicesUrl: `${frontendUrl}/office/notices`,
      language: recipient.language,
      stopUrl: stopLinks.urlOf({ userId: recipient.id, kind: 'waiting' }),
    });
    const messageId = `waiting-${applicants.at(-1)}-${recipient.id}`;
    const mail = { ...renderMail(content), to: recipient.email, messageId };
    if ((await sendNotice(mailer, mail)) === 'later') outcome = 'later';
  }
  return outcome;
}
