import type { Db } from '../../db/connection.ts';
import * as lifecycle from '../../db/redemptions/lifecycle.ts';
import type { RedemptionId } from '../../domain/ids.ts';
import { codeMail, expiryMail, type MailText } from '../../domain/redemption-mail.ts';
import type { RedemptionCodes } from '../../gateways/crypto/redemption-codes.ts';
import { MailError, type Mailer } from '../../gateways/mail/mailer.ts';

export type RedemptionMailDeps = { db: Db; mailer: Mailer; codes: RedemptionCodes };

/**
 * How sending a mail ended. `unneeded`: it was sent before or is out of date. `undeliverable`:
 * there is no address, or the mail server refuses it for good.
 */
export type MailOutcome = 'sent' | 'unneeded' | 'undeliverable';

/**
 * The mails about a redemption. Each may run any number of times: a sent mail is recorded, and a
 * run that is killed before the record sends the same message again under the same id.
 */
export function createRedemptionMailActivities({ db, mailer, codes }: RedemptionMailDeps) {
  return {
    /** Mails a code to its owner while the code can be used. */
    async mailCode(id: RedemptionId): Promise<MailOutcome> {
      const data = await lifecycle.findMailData(db, id);
      if (!data?.isUsable || data.sealedCode === null || data.codeMailedAt !== null) {
        return 'unneeded';
      }
      const code = codes.open(data.sealedCode, { id, tenantId: data.tenantId });
      const mail = codeMail({ ...data, code });
      const outcome = await send(mailer, data.email, mail, `redemption-code-${id}`);
      await lifecycle.markCodeMailed(db, id);
      return outcome;
    },

    /** Mails the owner of a code that it expired unused, and whether the points came back. */
    async mailExpiry(id: RedemptionId): Promise<MailOutcome> {
      const data = await lifecycle.findMailData(db, id);
      if (data?.status !== 'expired' || data.expiryToldAt !== null) return 'unneeded';
      const mail = expiryMail(data);
      const outcome = await send(mailer, data.email, mail, `redemption-expired-${id}`);
      await lifecycle.markExpiryMailed(db, id);
      return outcome;
    },
  };
}

/** Throws transient errors, which are retried; a refused address is an outcome. */
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
