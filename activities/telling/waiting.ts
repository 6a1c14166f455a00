import type { Db } from '../../db/connection.ts';
import * as waiting from '../../db/notices/waiting.ts';
import { isInDomain } from '../../domain/account-status.ts';
import { waitingMail } from '../../domain/texts/waiting-mail.ts';
import type { StopLinks } from '../../gateways/crypto/stop-links.ts';
import type { Mailer } from '../../gateways/mail/mailer.ts';
import { type DueWorker, type Outcome, tasksOf } from '../due-work/worker.ts';
import { sendToEach } from '../notices.ts';

export type WaitingNoticeDeps = {
  db: Db;
  mailer: Mailer;
  stopLinks: Pick<StopLinks, 'urlOf'>;
  frontendUrl: string;
  adminEmailDomain: string;
};

/**
 * Mails the administrators that merchants wait: for their approval, or for an answer about points
 * for a customer. All who wait since an hour are due when the hour ends, and come in one mail. Run
 * twice, each mail has the same id.
 */
export function tellOfWaiting(deps: WaitingNoticeDeps): DueWorker<'tell_of_waiting'> {
  return {
    kind: 'tell_of_waiting',
    batch: 500,
    atOnce: 500,
    backOff: { firstSeconds: 300, longestSeconds: 3_600 },
    async prepare(items) {
      const all = await waiting.findWaiting(
        deps.db,
        items.map(({ id }) => id),
      );
      let told: Promise<Outcome> | undefined;
      const tellOnce = () => {
        told ??= tell(deps, all);
        return told;
      };
      return tasksOf(items, async () => all, tellOnce);
    },
  };
}

async function tell(
  { db, mailer, stopLinks, frontendUrl, adminEmailDomain }: WaitingNoticeDeps,
  all: readonly waiting.Waiting[],
): Promise<Outcome> {
  const requests = all.filter(({ isRequest }) => isRequest).length;
  const recipients = await waiting.listRecipients(db);
  // An administrator with another address may do nothing.
  const able = recipients.filter((recipient) => isInDomain(recipient, adminEmailDomain));
  return sendToEach(mailer, able, {
    messagePrefix: `waiting-${all.at(-1)?.id}`,
    contentFor: ({ id: userId, language }) =>
      waitingMail({
        applicants: all.length - requests,
        requests,
        officeUrl: `${frontendUrl}/office`,
        language,
        stopUrl: stopLinks.urlOf({ userId, kind: 'waiting' }),
      }),
  });
}
