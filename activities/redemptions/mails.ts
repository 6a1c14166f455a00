import type { Db } from '../../db/connection.ts';
import * as closing from '../../db/redemptions/lifecycle.ts';
import type { RedemptionId } from '../../domain/ids.ts';
import { codeMail, expiryMail, type MailText } from '../../domain/redemption-mail.ts';
import type { RedemptionCodes } from '../../gateways/crypto/redemption-codes.ts';
import { MailError, type Mailer } from '../../gateways/mail/mailer.ts';

export type RedemptionMailDeps = { db: Db; mailer: Mailer; codes: RedemptionCodes };

/**
 * What became of a mail. It was `unneeded` when there was nothing left to say, `undeliverable` when
 * there is no address or the mail server will never take it.
 */
export type MailOutcome = 'sent' | 'unneeded' | 'undeliverable';

/**
 * Mails to people. Each may run any number of times: what was mailed is noted, and one that was
 * killed before the note sends the same message again under the same id.
 */
export function createRedemptionMailActivities({ db, mailer, codes }: RedemptionMailDeps) {
  return {
    /** Mails a code to its owner, as long as it can be used. */
    async mailCode(id: RedemptionId): Promise<MailOutcome> {
      const notice = await closing.findMailData(db, id);
      if (!notice?.isUsable || notice.sealedCode === null || notice.codeMailedAt !== null) {
        return 'unneeded';
      }
      const code = codes.open(notice.sealedCode, { id, tenantId: notice.tenantId });
      const mail = codeMail({ ...notice, code });
      const outcome = await send(mailer, notice.email, mail, `redemption-code-${id}`);
      await closing.markCodeMailed(db, id);
      return outcome;
    },

    /** Tells the owner of a code that it expired unused, and what became of the points. */
    async mailExpiry(id: RedemptionId): Promise<MailOutcome> {
      const notice = await closing.findMailData(db, id);
      if (notice?.status !== 'expired' || notice.expiryToldAt !== null) return 'unneeded';
      const mail = expiryMail(notice);
      const outcome = await send(mailer, notice.email, mail, `redemption-expired-${id}`);
      await closing.markExpiryMailed(db, id);
      return outcome;
    },
  };
}

/** Throws what may be gone when it is tried again; an address that is refused is an answer. */
async function send(
  mailer: Mailer,
  to: string | null,
  mail: MailText,
  messageId: string,
): Promise<MailOutcome> {
  if (to === null) return 'undeliverable';
  try {
    await mailer.send({ ...mail, to, messageId });
    return 'sent';
  } catch (error) {
    if (error instanceof MailError && !error.isTransient) return 'undeliverable';
    throw error;
  }
}
