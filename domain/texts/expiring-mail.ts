import { hourBeforeEnd, type Month } from '../intervals.ts';
import type { Language } from '../language.ts';
import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { formatNumber, momentOf } from './mail-formats.ts';
import { mailTextsIn } from './mail-texts.ts';

/** The points that the mail is about. */
export type ExpiringPoints = {
  shop: { name: string; logoUrl: string | null; color: string | null };
  points: number;
  /** They expire at its end. */
  month: Month;
  walletUrl: string;
  language: Language | null;
};

/** The mail that points expire at the end of a month, unless they are used before. */
export function expiringMail({
  shop,
  points: count,
  month,
  walletUrl,
  ...to
}: ExpiringPoints): MailContent {
  const texts = mailTextsIn(to.language);
  const { language, expiring } = texts;
  const lastDay = hourBeforeEnd(month, { days: 0, hour: 0 }, 'UTC');
  const words = {
    shop: oneLine(shop.name),
    count,
    points: texts.points(count, formatNumber(count, language)),
    day: texts.day(momentOf(lastDay, language, 'UTC')),
  };
  return {
    language,
    subject: expiring.subject(words),
    shop: { name: words.shop, logoUrl: shop.logoUrl, color: shop.color },
    blocks: [
      paragraph(expiring.expire(words)),
      paragraph(expiring.use),
      { type: 'link', label: expiring.link, url: walletUrl },
    ],
  };
}
