import { expect, it } from 'vitest';
import { type WeekSummary, weekMail } from '../../../domain/texts/week-mail.ts';

const summary: WeekSummary = {
  shop: { name: 'Corner Café', logoUrl: null, color: null },
  currency: 'USD',
  language: null,
  timeZone: 'America/New_York',
  week: { from: new Date('2026-03-09T04:00:00Z'), to: new Date('2026-03-16T04:00:00Z') },
  sales: { count: 1_200, amountMinorUnits: 1_234_550 },
  matched: { count: 660 },
  pointsEarned: 60_000,
  pointsUsed: 100,
  pointsOutstanding: 168_700,
  trouble: { lost: [], silent: [], endpointsOff: 0 },
  portalUrl: 'https://app.shop.example/portal',
  choicesUrl: 'https://app.shop.example/portal/notices',
  stopUrl: 'https://api.shop.example/stop',
};
const textsOf = (changes: Partial<WeekSummary> = {}) =>
  weekMail({ ...summary, ...changes }).blocks.flatMap((block) =>
    'text' in block ? block.text : [],
  );

it('says what was sold to whom, given, used and is owed, in the week of the shop', () => {
  expect(weekMail(summary).subject).toBe('Your week at Corner Café');
  expect(textsOf()).toEqual([
    'From 9 March 2026 to 15 March 2026 you had 1,200 sales, of $12,345.50.',
    'Of known customers: 55%. Only these collect points.',
    'Points given: 60,000 points ($600.00). Points used: 100 points ($1.00).',
    'Your customers can still use 168,700 points ($1,687.00).',
  ]);
});

it.each([
  [0, 300, 0],
  [1, 300, 1],
  [199, 200, 99],
  [200, 200, 100],
])('says of %s of %s sales to known customers %s percent', (known, all, percent) => {
  const texts = textsOf({
    sales: { count: all, amountMinorUnits: 100 },
    matched: { count: known },
  });
  expect(texts[1]).toBe(`Of known customers: ${percent}%. Only these collect points.`);
});

it('says no amounts without a currency, and nothing of the customers of no sales', () => {
  const none = { count: 0, amountMinorUnits: 0 };
  expect(textsOf({ currency: null, sales: none, matched: none }).slice(0, 2)).toEqual([
    'From 9 March 2026 to 15 March 2026 you had no sales.',
    'Points given: 60,000 points. Points used: 100 points.',
  ]);
});

it('says it in German to who reads that', () => {
  expect(textsOf({ language: 'de' })).toEqual([
    'Vom 9. März 2026 bis zum 15. März 2026 hatten Sie 1.200 Verkäufe im Wert von ' +
      '12.345,50\u00a0$.',
    'An bekannte Kunden: 55\u00a0%. Nur diese sammeln Punkte.',
    'Vergeben: 60.000 Punkte (600,00\u00a0$). Eingelöst: 100 Punkte (1,00\u00a0$).',
    'Ihre Kunden können noch 168.700 Punkte (1.687,00\u00a0$) einlösen.',
  ]);
});

it('says what does not work', () => {
  const trouble = { lost: ['alpha'], silent: ['beta'], endpointsOff: 2 } as const;
  expect(textsOf({ trouble }).slice(4)).toEqual([
    'Sales at Alpha earn no points: it no longer lets us in. Connect the account again.',
    'Sales at Beta do not arrive. Look at its days in your portal.',
    '2 addresses get no webhooks any more. Your portal says why.',
  ]);
});
