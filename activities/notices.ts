import { MailError, type Mailer } from '../gateways/mail/mailer.ts';
import type { RenderedMail } from '../gateways/mail/render-mail.ts';
import type { Outcome } from './due-work/worker.ts';

/**
 * Sends a mail that may wait to each of these addresses; the ids of the messages begin alike. Says
 * `later` if one of them has to be sent again.
 */
export async function sendToEach(
  mailer: Mailer,
  addresses: readonly string[],
  { messagePrefix, ...mail }: RenderedMail & { messagePrefix: string },
): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  for (const [nth, to] of addresses.entries()) {
    const messageId = `${messagePrefix}-${nth}`;
    outcomes.push(await sendNotice(mailer, { ...mail, to, messageId }));
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
