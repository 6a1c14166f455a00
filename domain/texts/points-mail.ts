import type { Language } from '../language.ts';
import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { formatNumber } from './mail-formats.ts';
import { type MailTexts, mailTextsIn } from './mail-texts.ts';

/** The points that came to a wallet, and where its owner sees and chooses. */
export type CamePoints = {
  shop: { name: string; logoUrl: string | null; color: string | null };
  points: number;
  /** Whether its owner had none at the shop before. */
  isFirst: boolean;
  /** Whether these are those of before, which the shop has brought over. */
  isBroughtOver: boolean;
  walletUrl: string;
  /** Where they choose of which points they are told. */
  choicesUrl: string;
  stopUrl: string;
  language: Language | null;
};

/** The mail that points came to a wallet. */
export function pointsMail({
  shop,
  points: count,
  isFirst,
  isBroughtOver,
  walletUrl,
  choicesUrl,
  stopUrl,
  ...to
}: CamePoints): MailContent {
  const { language, points, notices } = mailTextsIn(to.language);
  const its = notices.points;
  const words = { shop: oneLine(shop.name), points: points(count, formatNumber(count, language)) };
  return {
    language,
    subject: its.subject(words),
    shop: { name: words.shop, logoUrl: shop.logoUrl, color: shop.color },
    blocks: [
      paragraph(cameAs({ isFirst, isBroughtOver }, its)(words)),
      { type: 'link', label: its.link, url: walletUrl },
      ...(isFirst ? [paragraph(its.onlyFirst)] : []),
    ],
    footer: {
      choose: { label: notices.choose, url: choicesUrl },
      stop: { label: its.stop, url: stopUrl },
    },
  };
}

function cameAs(
  { isFirst, isBroughtOver }: Pick<CamePoints, 'isFirst' | 'isBroughtOver'>,
  its: MailTexts['notices']['points'],
) {
  if (isBroughtOver) return its.broughtOver;
  return isFirst ? its.firstCame : its.came;
}
