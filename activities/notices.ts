import type { Addressee } from '../db/tenants/owners.ts';
import type { MailContent } from '../domain/texts/mail-content.ts';
import { MailError, type Mailer } from '../gateways/mail/mailer.ts';
import { renderMail } from '../gateways/mail/render-mail.ts';
import type { Outcome } from './due-work/worker.ts';

/** A mail to several people, to each in their language; the ids of the messages begin alike. */
type Notice = {
  messagePrefix: string;
  contentIn(language: Addressee['language']): MailContent;
};

/** Sends a mail that may wait to each of them. Says `later` if one has to be sent again. */
export async function sendToEach(
  mailer: Mailer,
  addressees: readonly Addressee[],
  { messagePrefix, contentIn }: Notice,
): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const [nth, { email: to, language }] of addressees.entries()) {
    const mail = { ...renderMail(contentIn(language)), messageId: `${messagePrefix}-${nth}` };
    outcomes.push(await sendNotice(mailer, { ...mail, to }));
  }
  return outcomes.includes('later') ? 'later' : 'done';
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
