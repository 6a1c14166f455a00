import type { CampaignTerms } from '../campaigns.ts';
import { money, pointsOf } from './wording.ts';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/**
 * Says in a sentence what a campaign gives for which purchases, to customers of the shop. When it
 * ends is not in it. Amounts are written in the currency of the shop, and left out without one.
 */
export function campaignText(campaign: CampaignTerms, currency: string | null): string {
  const { multiplier, points, minSpendMinorUnits, audience, days, hours } = campaign;
  const gives = points === null ? `${multiplier} times the points` : `${pointsOf(points)} on top`;
  const conditions = [
    audience === 'first_purchase' ? 'for your first purchase' : 'for each purchase',
    minSpendMinorUnits > 0 && currency !== null
      ? `of ${money(minSpendMinorUnits, { currency })} or more`
      : '',
    days === null ? '' : `on ${listed(days.map((day) => DAYS[day - 1] ?? ''))}`,
    hours === null ? '' : `from ${hours.from} to ${hours.to}`,
  ];
  return `${[gives, ...conditions.filter((condition) => condition !== '')].join(' ')}.`;
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
