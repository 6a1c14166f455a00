import { type MailContent, paragraph } from './mail-content.ts';
import { momentOf } from './mail-formats.ts';
import { english, type MailTexts } from './mail-texts.ts';

/** What has become of an erasure, as the audit log has it. */
export type ErasureNews = {
  after: Readonly<Record<string, string | number | null>>;
  walletUrl: string;
};

/** The mail that a person will be erased, and how to prevent that; or that they will not be. */
export function erasureMail(
  { after: { status, at }, walletUrl }: ErasureNews,
  texts: MailTexts = english,
): MailContent {
  const { language, erasure } = texts;
  const shop = { name: erasure.account, logoUrl: null };
  if (status !== 'scheduled') {
    const blocks = [paragraph(erasure.stays), paragraph(erasure.stranger)];
    return { language, subject: erasure.withdrawnSubject, shop, blocks };
  }
  const begins = texts.moment(momentOf(new Date(String(at)), language, 'UTC'));
  return {
    language,
    subject: erasure.subject,
    shop,
    blocks: [
      paragraph(erasure.scheduled({ at: begins })),
      paragraph(erasure.withdraw),
      { type: 'link', label: erasure.link, url: walletUrl },
    ],
  };
}
