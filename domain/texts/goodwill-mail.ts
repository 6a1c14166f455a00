import type { Language } from '../language.ts';
import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { formatNumber } from './mail-formats.ts';
import { mailTextsIn } from './mail-texts.ts';

/** What an administrator has decided about points that a merchant asked for. */
type Answered = {
  shop: string;
  points: number;
  isGranted: boolean;
  /** Why it was declined; null where the customer was erased since. */
  answer: string | null;
  /** Where the merchant sees what they have asked for. */
  consumersUrl: string;
  language: Language | null;
};

/** The mail to a merchant about points for goodwill that were granted or declined. */
export function goodwillMail({ isGranted, consumersUrl, ...answered }: Answered): MailContent {
  const { language, goodwill, points } = mailTextsIn(answered.language);
  const shop = oneLine(answered.shop);
  const asked = { shop, points: points(answered.points, formatNumber(answered.points, language)) };
  const answer = answered.answer === null ? null : oneLine(answered.answer);
  return {
    language,
    subject: isGranted ? goodwill.grantedSubject(asked) : goodwill.declinedSubject(asked),
    shop: { name: shop, logoUrl: null },
    blocks: [
      paragraph(isGranted ? goodwill.granted(asked) : goodwill.declined(asked)),
      ...(isGranted || answer === null ? [] : [paragraph(goodwill.because({ answer }))]),
      { type: 'link', label: goodwill.link, url: consumersUrl },
    ],
  };
}
