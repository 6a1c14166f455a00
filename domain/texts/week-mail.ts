import type { Language } from '../language.ts';
import type { Provider } from '../payment.ts';
import { worthMinorUnits } from '../redemption.ts';
import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { formatMoney, formatNumber, momentOf } from './mail-formats.ts';
import { type MailTexts, mailTextsIn } from './mail-texts.ts';
import { providerName } from './provider-name.ts';

/** What a week of a shop was like, and where its owners see more and choose. */
export type WeekSummary = {
  shop: { name: string; logoUrl: string | null; color: string | null };
  currency: string | null;
  timeZone: string;
  week: { from: Date; to: Date };
  sales: { count: number; amountMinorUnits: number };
  matched: { count: number };
  pointsEarned: number;
  pointsUsed: number;
  pointsOutstanding: number;
  trouble: { lost: readonly Provider[]; silent: readonly Provider[]; endpointsOff: number };
  portalUrl: string;
  choicesUrl: string;
  stopUrl: string;
  language: Language | null;
};

/** The mail that tells a tenant's owners what the week was like, and what does not work. */
export function weekMail(summary: WeekSummary): MailContent {
  const texts = mailTextsIn(summary.language);
  const { language, notices } = texts;
  const { shop, choicesUrl, stopUrl, portalUrl, trouble } = summary;
  const its = notices.week;
  const words = wordsOf(summary, texts);
  const { endpointsOff } = trouble;
  return {
    language,
    subject: its.subject(words),
    shop: { name: words.shop, logoUrl: shop.logoUrl, color: shop.color },
    blocks: [
      paragraph(its.sold(words)),
      ...(summary.sales.count === 0 ? [] : [paragraph(its.known(words))]),
      paragraph(its.points(words)),
      paragraph(its.owed(words)),
      ...trouble.lost.map((name) => paragraph(its.lost({ provider: providerName(name) }))),
      ...trouble.silent.map((name) => paragraph(its.silent({ provider: providerName(name) }))),
      ...(endpointsOff === 0 ? [] : [paragraph(its.endpointsOff({ count: endpointsOff }))]),
      { type: 'link', label: its.link, url: portalUrl },
    ],
    footer: {
      choose: { label: notices.choose, url: choicesUrl },
      stop: { label: its.stop, url: stopUrl },
    },
  };
}

function wordsOf(summary: WeekSummary, texts: MailTexts) {
  const { language } = texts;
  const { currency, timeZone, week, sales, matched } = summary;
  const money = (amount: number) =>
    currency === null ? null : formatMoney(amount, currency, language);
  const points = (count: number) => {
    const written = texts.points(count, formatNumber(count, language));
    const worth = money(worthMinorUnits(count));
    return worth === null ? written : `${written} (${worth})`;
  };
  const dayOf = (time: Date) => texts.day(momentOf(time, language, timeZone));
  return {
    shop: oneLine(summary.shop.name),
    from: dayOf(week.from),
    to: dayOf(new Date(week.to.getTime() - 1)),
    count: sales.count,
    sales: texts.sales(sales.count, formatNumber(sales.count, language)),
    amount: money(sales.amountMinorUnits),
    percent: percentOf(matched.count, sales.count),
    given: points(summary.pointsEarned),
    used: points(summary.pointsUsed),
    outstanding: points(summary.pointsOutstanding),
  };
}

/** A part of the sales in percent: 0 only of none of them, 100 only of all. */
function percentOf(count: number, all: number): number {
  if (count === 0 || count === all) return count === 0 ? 0 : 100;
  return Math.min(99, Math.max(1, Math.round((100 * count) / all)));
}
