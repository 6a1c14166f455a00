import type { Db } from '../../db/connection.ts';
import { type FollowedBatch, renewFollowing } from '../../db/redemptions/following.ts';
import * as mails from '../../db/redemptions/mails.ts';
import type { ExpiredCodes } from '../../domain/redemption.ts';
import { codeMail, expiryMail } from '../../domain/texts/redemption-mail.ts';
import type { RedemptionCodes } from '../../gateways/crypto/redemption-codes.ts';
import type { Mailer } from '../../gateways/mail/mailer.ts';
import { objectUrl } from '../../gateways/objects/object-url.ts';
import { isRepeated } from '../progress.ts';
import { TooSoon } from '../too-soon.ts';
import { type MailCounts, type MailKind, mailBatch } from './mail-batch.ts';

export type RedemptionMailDeps = {
  db: Db;
  mailer: Mailer;
  codes: RedemptionCodes;
  /** Whether the points of an unused code come back, which its mail says. */
  expiredCodes: ExpiredCodes;
  /** Below which the shops' logos are public. */
  objectsUrl: string;
  /** Where people see their codes. */
  frontendUrl: string;
};

/**
 * The mails about redemptions. Each may run any number of times: a sent mail is recorded, and a
 * run that is killed before the record sends the same message again under the same id.
 */
export function createRedemptionMailActivities(deps: RedemptionMailDeps) {
  const { db, codes, expiredCodes, objectsUrl, frontendUrl } = deps;
  const codeKind: MailKind = {
    messagePrefix: 'redemption-code',
    list: mails.listCodeMails,
    contentOf(group) {
      return codeMail(
        group.map(({ sealedCode, ...data }) => {
          if (sealedCode === null) throw new Error(`The code of ${data.id} is not there any more.`);
          const logoUrl = objectUrl(objectsUrl, data.logoPath);
          const which = group.length === 1 ? `/${data.id}` : '';
          const codeUrl = `${frontendUrl}/wallet/codes${which}`;
          return { ...data, logoUrl, codeUrl, code: codes.open(sealedCode, data), expiredCodes };
        }),
      );
    },
    mark: mails.markCodesMailed,
  };
  const expiryKind: MailKind = {
    messagePrefix: 'redemption-expired',
    list: async (on, page) => (await mails.listExpiryMails(on, page)).map((data) => [data]),
    contentOf: ([data]) => {
      if (data === undefined) throw new Error('There is no redemption to mail about.');
      return expiryMail({ ...data, logoUrl: objectUrl(objectsUrl, data.logoPath) });
    },
    mark: mails.markExpiriesMailed,
  };

  return {
    /**
     * Mails the codes of a batch that can still be used to their owners, those of a wallet within a
     * minute together: also those that other runs follow. Throws TooSoon while some have to wait.
     */
    async mailCodes(batch: FollowedBatch): Promise<MailCounts> {
      // The first attempt follows what records that the run is there.
      if (isRepeated()) await renewFollowing(db, batch);
      const counts = await mailBatch(deps, batch, codeKind);
      const waitMs = await mails.nextCodeMailInMs(db, batch);
      if (waitMs === null) return counts;
      throw new TooSoon('Some codes come in one mail, once a minute is over.', waitMs);
    },

    /** Mails the owners of a batch's expired codes, and whether the points came back. */
    async mailExpiries(batch: FollowedBatch): Promise<MailCounts> {
      await renewFollowing(db, batch);
      return mailBatch(deps, batch, expiryKind);
    },
  };
}
