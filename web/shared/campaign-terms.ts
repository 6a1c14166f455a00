import { campaignTexts as texts } from '../texts/en/campaigns.ts';
import type { Schema } from './client.tsx';
import { decimal, money } from './format.ts';
import { pointsText } from './points-text.ts';

type Terms = Pick<
  Schema['Campaign'],
  'multiplier' | 'points' | 'minSpendMinorUnits' | 'audience' | 'days' | 'hours'
>;

/** What a campaign gives for which sales. */
export function campaignTerms(campaign: Terms, currency: string | null): string {
  const { multiplier, points, minSpendMinorUnits, audience, days, hours } = campaign;
  const terms = [
    points === null ? texts.multiplies(decimal(multiplier ?? 1)) : texts.adds(pointsText(points)),
    audience === 'first_purchase' ? texts.firstPurchase : '',
    minSpendMinorUnits > 0 ? texts.from(money(minSpendMinorUnits, currency)) : '',
    days === null ? '' : texts.days(days),
    hours === null ? '' : texts.hours(hours.from, hours.to),
  ];
  return terms.filter((term) => term !== '').join(' · ');
}
