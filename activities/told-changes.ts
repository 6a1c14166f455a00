import type { Db } from '../db/connection.ts';
import * as changes from '../db/told-changes.ts';
import { isInDomain } from '../domain/account-status.ts';
import { approvalMail } from '../domain/texts/approval-mail.ts';
import { type ChangeFacts, changeMail } from '../domain/texts/change-mail.ts';
import { erasureMail } from '../domain/texts/erasure-mail.ts';
import { goodwillMail } from '../domain/texts/goodwill-mail.ts';
import type { MailContent } from '../domain/texts/mail-content.ts';
import type { Mailer } from '../gateways/mail/mailer.ts';
import { objectUrl } from '../gateways/objects/object-url.ts';
import { type DueWorker, type Outcome, tasksOf } from './due-work/worker.ts';
import { sendToEach } from './notices.ts';

export type ToldChangeDeps = {
  db: Db;
  mailer: Mailer;
  /** Where merchants see their connections, below it. */
  frontendUrl: string;
  /** Below which the shops' logos are public. */
  objectsUrl: string;
  adminEmailDomain: string;
};

/**
 * Mails what changed in a shop to all of its owners, who became an administrator to all others, and
 * to a person that they were approved as a merchant, or will be erased, or will not, or how points
 * were answered that they asked for. Each is told once; one who was being told when the worker was
 * killed gets the same mail again, under the same id.
 */
export function tellOfChange(deps: ToldChangeDeps): DueWorker<'tell_of_change'> {
  return { kind: 'tell_of_change', ...telling(deps, { find: changes.find, isReminder: false }) };
}

/**
 * Mails the owners of a shop a day after a connection was lost, unless it was connected again or
 * disconnected; each once, as `tellOfChange` does.
 */
export function remindOfLoss(deps: ToldChangeDeps): DueWorker<'remind_of_loss'> {
  const how = { find: changes.findStillLost, isReminder: true };
  return { kind: 'remind_of_loss', ...telling(deps, how) };
}

function telling<Kind extends 'tell_of_change' | 'remind_of_loss'>(
  deps: ToldChangeDeps,
  { find, isReminder }: { find: typeof changes.find; isReminder: boolean },
): Omit<DueWorker<Kind>, 'kind'> {
  return {
    batch: 20,
    atOnce: 1,
    backOff: { firstSeconds: 300, longestSeconds: 3_600 },
    prepare: (items) =>
      tasksOf(
        items,
        (ids) => find(deps.db, ids),
        (change) => tell(deps, change, { isReminder }),
      ),
  };
}

async function tell(
  deps: ToldChangeDeps,
  change: changes.ToldChange,
  { isReminder }: { isReminder: boolean },
): Promise<Outcome> {
  const { db, mailer, adminEmailDomain } = deps;
  const isErasure = change.action === 'user.erase';
  const { id: entryId, recipients } = change;
  // An administrator with another address may do nothing.
  const isTold = (to: changes.Recipient) =>
    isErasure || change.tenantId !== null || isInDomain(to, adminEmailDomain);
  return sendToEach(mailer, recipients.filter(isTold), {
    messagePrefix: `${isReminder ? 'reminder' : 'change'}-${entryId}`,
    contentFor: ({ language }) => mailAbout(change, { ...deps, isReminder, language }),
    recordTold: ({ id: userId }) => changes.recordTold(db, { entryId, userId, isReminder }),
  });
}

function mailAbout(
  change: changes.ToldChange,
  { isReminder, language, ...deps }: ToldChangeDeps & Pick<ChangeFacts, 'isReminder' | 'language'>,
): MailContent {
  const { frontendUrl } = deps;
  switch (change.action) {
    case 'user.erase':
      return erasureMail({ ...change, walletUrl: `${frontendUrl}/wallet`, language });
    case 'user.approve':
      return approvalMail({
        shop: change.tenantName ?? '',
        portalUrl: `${frontendUrl}/portal/`,
        language,
      });
    case 'wallet.adjust':
    case 'goodwill.decline':
      return goodwillMail({
        shop: change.tenantName ?? '',
        points: Number(change.after.points),
        isGranted: change.action === 'wallet.adjust',
        answer: change.answer,
        consumersUrl: `${frontendUrl}/portal/consumers`,
        language,
      });
    default:
      return changeMail({ ...factsOf(change, deps), isReminder, language });
  }
}

function factsOf(
  { recipients: _, logoPath, tenantName, ...change }: changes.ToldChange,
  { objectsUrl, frontendUrl }: ToldChangeDeps,
): Omit<ChangeFacts, 'isReminder' | 'language'> {
  return {
    ...change,
    shop: tenantName,
    logoUrl: objectUrl(objectsUrl, logoPath),
    posUrl: `${frontendUrl}/pos`,
  };
}
