import type { Addressee } from '../db/tenants/owners.ts';
import type { MailContent } from '../domain/texts/mail-content.ts';
import { MailError, type Mailer } from '../gateways/mail/mailer.ts';
import { renderMail } from '../gateways/mail/render-mail.ts';
import type { Outcome } from './due-work/worker.ts';
import { continues } from './progress.ts';

/** A mail to several people, to each in their language. */
type Notice = {
  /** The id of each message is this and the addressee's. */
  messagePrefix: string;
  contentFor(to: Addressee): MailContent;
  /** Records that somebody was told, or cannot be, where they must not be told again. */
  recordTold?(to: Addressee): Promise<void>;
};

/** Sends a mail that may wait to each of them. Says `later` if one has to be sent again. */
export async function sendToEach(
  mailer: Mailer,
  addressees: readonly Addressee[],
  { messagePrefix, contentFor, recordTold }: Notice,
): Promise<Outcome> {
  let outcome: Outcome = 'done';
  for (const to of addressees) {
    continues();
    const mail = { ...renderMail(contentFor(to)), messageId: `${messagePrefix}-${to.id}` };
    const sent = await sendNotice(mailer, { ...mail, to: to.email });
    if (sent === 'done') await recordTold?.(to);
    else outcome = sent;
  }
  return outcome;
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
