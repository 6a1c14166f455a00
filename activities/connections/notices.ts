import type { Db } from '../../db/connection.ts';
import * as notices from '../../db/connections/notices.ts';
import { connectedMail } from '../../domain/texts/connection-mail.ts';
import { MailError, type Mailer } from '../../gateways/mail/mailer.ts';
import { renderMail } from '../../gateways/mail/render-mail.ts';
import { objectUrl } from '../../gateways/objects/object-url.ts';
import { type DueWorker, type Outcome, tasksOf } from '../due-work/worker.ts';

export type NoticeDeps = {
  db: Db;
  mailer: Mailer;
  /** Where merchants see their connections, below it. */
  frontendUrl: string;
  /** Below which the shops' logos are public. */
  objectsUrl: string;
};

/**
 * Mails owners which account was connected to their tenant. An owner without a verified address
 * gets no mail; run twice, the mail has the same id.
 */
export function tellOfConnection(deps: NoticeDeps): DueWorker<'tell_of_connection'> {
  return {
    kind: 'tell_of_connection',
    batch: 20,
    atOnce: 1,
    backOff: { firstSeconds: 300, longestSeconds: 300 },
    prepare: (items) =>
      tasksOf(
        items,
        (ids) => notices.find(deps.db, ids),
        (notice) => send(deps, notice),
      ),
  };
}

async function send(
  { mailer, frontendUrl, objectsUrl }: NoticeDeps,
  { email, ...notice }: notices.ConnectionNotice,
): Promise<Outcome> {
  const logoUrl = objectUrl(objectsUrl, notice.logoPath);
  const mail = renderMail(connectedMail({ ...notice, logoUrl, posUrl: `${frontendUrl}/pos` }));
  const messageId = `connected-${notice.id}-${notice.connectedAt.getTime()}`;
  return sendNotice(mailer, { ...mail, to: email, messageId });
}

/** Sends a mail that may wait. What a server refuses for good is done. */
export async function sendNotice(
  mailer: Mailer,
  mail: Parameters<Mailer['send']>[0],
): Promise<Outcome> {
  try {
    await mailer.send(mail);
    return 'done';
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return error.isTransient ? 'later' : 'done';
  }
}
