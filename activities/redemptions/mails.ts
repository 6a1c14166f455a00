import type { Db } from '../../db/connection.ts';
import { type FollowedBatch, renewFollowing } from '../../db/redemptions/following.ts';
import * as mails from '../../db/redemptions/mails.ts';
import type { RedemptionId } from '../../domain/ids.ts';
import { codeMail, expiryMail } from '../../domain/redemption-mail.ts';
import type { RedemptionCodes } from '../../gateways/crypto/redemption-codes.ts';
import type { Mailer } from '../../gateways/mail/mailer.ts';
import { type MailCounts, type MailKind, mailBatch, send } from './mail-batch.ts';

export type RedemptionMailDeps = { db: Db; mailer: Mailer; codes: RedemptionCodes };

/**
 * How sending a mail ended. `unneeded`: it was sent before or is out of date. `undeliverable`:
 * there is no address, or the mail server refuses it for good.
 */
export type MailOutcome = 'sent' | 'unneeded' | 'undeliverable';

/**
 * The mails about redemptions. Each may run any number of times: a sent mail is recorded, and a
 * run that is killed before the record sends the same message again under the same id.
 */
export function createRedemptionMailActivities(deps: RedemptionMailDeps) {
  const { db, mailer, codes } = deps;
  const codeKind: MailKind = {
    messagePrefix: 'redemption-code',
    list: mails.listCodeMails,
    textOf({ sealedCode, ...data }) {
      if (sealedCode === null) throw new Error(`The code of ${data.id} is not there any more.`);
      return codeMail({ ...data, code: codes.open(sealedCode, data) });
    },
    mark: mails.markCodesMailed,
  };
  const expiryKind: MailKind = {
    messagePrefix: 'redemption-expired',
    list: mails.listExpiryMails,
    textOf: expiryMail,
    mark: mails.markExpiriesMailed,
  };

  return {
    /** Mails the codes of a batch that can still be used to their owners. */
    async mailCodes(batch: FollowedBatch): Promise<MailCounts> {
      return mailBatch(deps, batch, codeKind);
    },

    /** Mails the owners of a batch's expired codes, and whether the points came back. */
    async mailExpiries(batch: FollowedBatch): Promise<MailCounts> {
      await renewFollowing(db, batch);
      return mailBatch(deps, batch, expiryKind);
    },

    /** Mails a code to its owner while the code can be used. For runs of an earlier release. */
    async mailCode(id: RedemptionId): Promise<MailOutcome> {
      const data = await mails.findMailData(db, id);
      if (!data?.isUsable || data.codeMailedAt !== null) return 'unneeded';
      const mail = { ...codeKind.textOf(data), messageId: `${codeKind.messagePrefix}-${id}` };
      const outcome = await send(mailer, data.email, mail);
      await mails.markCodesMailed(db, [id]);
      return outcome;
    },

    /** Mails the owner of a code that it expired unused. For runs of an earlier release. */
    async mailExpiry(id: RedemptionId): Promise<MailOutcome> {
      const data = await mails.findMailData(db, id);
      if (data?.status !== 'expired' || data.expiryToldAt !== null) return 'unneeded';
      const mail = { ...expiryMail(data), messageId: `${expiryKind.messagePrefix}-${id}` };
      const outcome = await send(mailer, data.email, mail);
      await mails.markExpiriesMailed(db, [id]);
      return outcome;
    },
  };
}
