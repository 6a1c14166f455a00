import { expect, it } from 'vitest';
import type { CampaignTerms } from '../../../domain/campaigns.ts';
import { campaignText } from '../../../domain/texts/campaign.ts';

const doubled: CampaignTerms = {
  name: 'Summer',
  multiplier: 2,
  points: null,
  startsAt: new Date('2026-06-01T00:00Z'),
  endsAt: new Date('2026-09-01T00:00Z'),
  days: null,
  hours: null,
  minSpendMinorUnits: 0,
  audience: 'all',
  budgetPoints: 10_000,
};
const bonus = { multiplier: null, minSpendMinorUnits: 1500 };
const everyDay = [1, 2, 3, 4, 5, 6, 7];

it.each<[Partial<CampaignTerms> & { currency?: string | null }, string]>([
  [{}, '2 times the points for each purchase.'],
  [{ minSpendMinorUnits: 1 }, '2 times the points for each purchase of 0.01 EUR or more.'],
  [
    { ...bonus, points: 50, currency: 'JPY' },
    '50 points on top for each purchase of 1500 JPY or more.',
  ],
  [
    { ...bonus, points: 1, audience: 'first_purchase', currency: null },
    '1 point on top for your first purchase.',
  ],
  [{ days: [1] }, '2 times the points for each purchase on Monday.'],
  [{ days: [6, 7] }, '2 times the points for each purchase on Saturday and Sunday.'],
  [
    { days: everyDay },
    '2 times the points for each purchase on Monday, Tuesday, Wednesday, Thursday, Friday, ' +
      'Saturday and Sunday.',
  ],
  [
    { hours: { from: '08:30', to: '24:00' } },
    '2 times the points for each purchase from 08:30 to 24:00.',
  ],
  [
    { ...bonus, multiplier: 1.5, days: [2, 4], hours: { from: '14:00', to: '17:00' } },
    '1.5 times the points for each purchase of 15.00 EUR or more on Tuesday and Thursday ' +
      'from 14:00 to 17:00.',
  ],
])('a campaign of %j says: %s', ({ currency = 'EUR', ...terms }, text) => {
  expect(campaignText({ ...doubled, ...terms }, currency)).toBe(text);
});
