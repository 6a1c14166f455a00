import { MailError, type Mailer } from '../gateways/mail/mailer.ts';
import type { Outcome } from './due-work/worker.ts';

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
