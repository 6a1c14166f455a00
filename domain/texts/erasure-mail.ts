import type { Language } from '../language.ts';
import { timeZoneOf } from '../time-zones.ts';
import { type MailContent, paragraph } from './mail-content.ts';
import { momentOf } from './mail-formats.ts';
import { mailTextsIn } from './mail-texts.ts';

/** What has become of an erasure, as the audit log has it. */
export type ErasureNews = {
  after: Readonly<Record<string, string | number | null>>;
  /** Of a shop of the person, by whose clocks times are told; null while they are unknown. */
  country: string | null;
  timeZone: string | null;
  walletUrl: string;
  language: Language | null;
};

/** The mail that a person will be erased, and how to prevent that; or that they will not be. */
export function erasureMail({
  after: { status, at },
  walletUrl,
  ...news
}: ErasureNews): MailContent {
  const texts = mailTextsIn(news.language);
  const { language, erasure } = texts;
  const shop = { name: erasure.account, logoUrl: null };
  if (status !== 'scheduled') {
    const blocks = [paragraph(erasure.stays), paragraph(erasure.stranger)];
    return { language, subject: erasure.withdrawnSubject, shop, blocks };
  }
  const time = new Date(String(at));
  const begins = texts.moment(momentOf(time, language, timeZoneOf(news, time) ?? 'UTC'));
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
