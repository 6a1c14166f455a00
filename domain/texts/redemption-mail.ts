import type { Language } from '../language.ts';
import type { ExpiredCodes } from '../redemption.ts';
import { timeZoneOf } from '../time-zones.ts';
import { type MailBlock, type MailContent, oneLine, paragraph } from './mail-content.ts';
import { formatMoney, formatNumber, momentOf } from './mail-formats.ts';
import { type MailTexts, mailTextsIn } from './mail-texts.ts';

/** What the mails about a redemption tell of it and of its shop. */
type Redemption = {
  tenantName: string;
  logoUrl: string | null;
  color: string | null;
  /** The shop's, null while it is unknown: then nothing is said about a worth. */
  currency: string | null;
  /** The shop's, by whose clocks times are told; null while they are unknown. */
  country: string | null;
  timeZone: string | null;
  points: number;
  discountValueMinorUnits: number;
  /** The name of the reward that it is for; null for points that the till takes off. */
  reward: string | null;
  expiresAt: Date;
  /** Its owner's. */
  language: Language | null;
};

type Code = Redemption & {
  code: string;
  expiredCodes: ExpiredCodes;
  /** Where its owner sees it, or several, in the app. */
  codeUrl: string;
};

/**
 * The mail with codes of one shop for their owner, of which there is at least one: what each is
 * worth, until when, and whether its points come back if it is not used. The subject, which lock
 * screens show, omits the codes.
 */
export function codeMail(codes: readonly Code[]): MailContent {
  const [first] = codes;
  if (first === undefined) throw new Error('A mail with codes needs a code.');
  const texts = mailTextsIn(first.language);
  const { shop } = wordsOf(first, texts);
  const words = { shop, codes: formatNumber(codes.length, texts.language) };
  const { subject, heading, subjectOfMany, headingOfMany } = texts.code;
  const isOne = codes.length === 1;
  return {
    language: texts.language,
    subject: (isOne ? subject : subjectOfMany)(words),
    shop: { name: shop, logoUrl: first.logoUrl, color: first.color },
    blocks: [
      paragraph((isOne ? heading : headingOfMany)(words)),
      ...codes.flatMap((code) => blocksOf(code, texts)),
      { type: 'link', label: texts.code.link, url: first.codeUrl },
      paragraph(texts.code.stranger),
    ],
  };
}

function blocksOf(redemption: Code, texts: MailTexts): MailBlock[] {
  const { code, expiredCodes } = redemption;
  const words = wordsOf(redemption, texts);
  const unused = expiredCodes === 'refund' ? texts.code.comesBack : texts.code.isLost;
  return [
    { type: 'code', code },
    paragraph(
      words.reward === null
        ? texts.code.worth(words)
        : texts.code.isFor({ ...words, reward: words.reward }),
    ),
    paragraph(texts.code.use(words)),
    paragraph(unused(words)),
  ];
}

/** The mail about a code that expired unused, and whether its points came back. */
export function expiryMail(redemption: Redemption & { pointsReturned: boolean }): MailContent {
  const texts = mailTextsIn(redemption.language);
  const { pointsReturned } = redemption;
  const words = wordsOf(redemption, texts);
  const { subjectReturned, subjectLost, expired, returned, lost } = texts.expiry;
  return {
    language: texts.language,
    subject: pointsReturned ? subjectReturned(words) : subjectLost(words),
    shop: { name: words.shop, logoUrl: redemption.logoUrl, color: redemption.color },
    blocks: [paragraph(expired(words)), paragraph(pointsReturned ? returned(words) : lost(words))],
  };
}

function wordsOf(redemption: Redemption, { language, ...texts }: MailTexts) {
  const { points: count, discountValueMinorUnits: discount, currency, expiresAt } = redemption;
  // What a reward is worth is not what its points are.
  const hasWorth = currency !== null && redemption.reward === null;
  const timeZone = timeZoneOf(redemption, expiresAt) ?? 'UTC';
  return {
    shop: oneLine(redemption.tenantName),
    count,
    points: texts.points(count, formatNumber(count, language)),
    worth: hasWorth ? formatMoney(discount, currency, language) : null,
    reward: redemption.reward === null ? null : oneLine(redemption.reward),
    until: texts.moment(momentOf(expiresAt, language, timeZone)),
  };
}
