import type { Db } from '../db/connection.ts';
import * as told from '../db/told-changes.ts';
import { isInDomain } from '../domain/account-status.ts';
import { type ChangeFacts, changeMail } from '../domain/texts/change-mail.ts';
import type { Mailer } from '../gateways/mail/mailer.ts';
import { renderMail } from '../gateways/mail/render-mail.ts';
import { objectUrl } from '../gateways/objects/object-url.ts';
import { type DueWorker, type Outcome, tasksOf } from './due-work/worker.ts';
import { sendNotice } from './notices.ts';

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
 * Mails what changed in a shop to all of its owners, and who became an administrator to all others.
 * Each is told once; one who was being told when the worker was killed gets the same mail again,
 * under the same id.
 */
export function tellOfChange(deps: ToldChangeDeps): DueWorker<'tell_of_change'> {
  return {
    kind: 'tell_of_change',
    batch: 20,
    atOnce: 1,
    backOff: { firstSeconds: 300, longestSeconds: 3_600 },
    prepare: (items) =>
      tasksOf(
        items,
        (ids) => told.find(deps.db, ids),
        (change) => tell(deps, change),
      ),
  };
}

async function tell(deps: ToldChangeDeps, change: told.ToldChange): Promise<Outcome> {
  const { db, mailer, adminEmailDomain } = deps;
  const mail = renderMail(changeMail(factsOf(change, deps)));
  let outcome: Outcome = 'done';
  for (const recipient of change.recipients) {
    // An administrator with another address may do nothing.
    if (change.tenantId === null && !isInDomain(recipient, adminEmailDomain)) continue;
    const messageId = `change-${change.id}-${recipient.id}`;
    const sent = await sendNotice(mailer, { ...mail, to: recipient.email, messageId });
    if (sent === 'done') await told.recordTold(db, change.id, recipient.id);
    else outcome = sent;
  }
  return outcome;
}

function factsOf(
  { recipients: _, logoPath, tenantName, ...change }: told.ToldChange,
  { objectsUrl, frontendUrl }: ToldChangeDeps,
): ChangeFacts {
  return {
    ...change,
    shop: tenantName,
    logoUrl: objectUrl(objectsUrl, logoPath),
    posUrl: `${frontendUrl}/pos`,
  };
}
