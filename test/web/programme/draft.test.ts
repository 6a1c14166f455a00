import { describe, expect, it } from 'vitest';
import { ProgrammeInput } from '../../../domain/programme.ts';
import {
  draftOf,
  newTier,
  type ProgrammeDraft,
  readDraft,
  type TierDraft,
} from '../../../web/portal/programme/draft.ts';

const silver = { key: 'silver', name: 'Silver', thresholdMinorUnits: 50_000, multiplier: 1.25 };
const gold = { key: 'gold', name: 'Gold', thresholdMinorUnits: 100_050, multiplier: 1.5 };
const terms = {
  validityMonths: 12,
  returnWindowDays: 14,
  expiryNoticeDays: 30,
  tillAttach: true,
  tiers: [silver, gold],
};
const active = {
  id: '4e1c9d2a-6b7f-4c3d-8e5a-0f1b2c3d4e5f',
  version: 2,
  active: true,
  timeZone: 'Europe/Berlin',
  publishedAt: '2026-01-15T10:00:00.000Z',
  ...terms,
};
const draft = draftOf(active, 'EUR', '');
const read = (some: Partial<ProgrammeDraft>, currency = 'EUR') =>
  readDraft({ ...draft, ...some }, currency);
const typed = (name: string, threshold = '700', multiplier = '1.25'): TierDraft => ({
  ...newTier(),
  name,
  threshold,
  multiplier,
});
const tiersOf = (reading: ReturnType<typeof readDraft>) =>
  'programme' in reading ? reading.programme.tiers : reading.problems;

describe('the draft of a version', () => {
  it.each(['EUR', 'JPY', 'KWD', ''])('says what it says, with %j as its currency', (currency) => {
    const reading = readDraft(draftOf(active, currency, ''), currency);
    expect(reading).toEqual({ programme: terms });
    expect(ProgrammeInput.parse(terms)).toEqual(terms);
  });

  it('says of a shop without one that nothing waits or expires, and its time zone', () => {
    const reading = readDraft(draftOf(undefined, 'EUR', 'Europe/Berlin'), 'EUR');
    const programme = {
      validityMonths: null,
      returnWindowDays: 0,
      expiryNoticeDays: 14,
      tillAttach: false,
      tiers: [],
      timeZone: 'Europe/Berlin',
    };
    expect(reading).toEqual({ programme });
  });

  it.each([
    ['days', { days: '91' }],
    ['days', { days: '' }],
    ['days', { days: '15', months: '1' }],
    ['months', { months: '0' }],
    ['months', { months: '121' }],
    ['notice', { notice: '6' }],
  ] as const)('is refused for its %s: %j', (field, some) => {
    const reading = read(some);
    expect('problems' in reading ? Object.keys(reading.problems) : []).toEqual([field]);
  });
});

describe('a typed tier', () => {
  it('keeps its key under another name, and is in the order of the amounts', () => {
    const [first, second] = draft.tiers.map((tier) => ({ ...tier, name: ` New ${tier.name} ` }));
    const tiers = [second, first, typed('Bronze', '99,5', '1')].flatMap((tier) => tier ?? []);
    const reading = read({ tiers });
    expect(tiersOf(reading)).toEqual([
      { key: 'bronze', name: 'Bronze', thresholdMinorUnits: 9_950, multiplier: 1 },
      { ...silver, name: 'New Silver' },
      { ...gold, name: 'New Gold' },
    ]);
    expect(tiersOf(read({ tiers: [] }))).toEqual([]);
  });

  it.each([
    ['Crème Brûlée!', 'creme_brulee'],
    ['3 Stars', 'stars'],
    ['Серебро', 'tier'],
    ['Friends of the house and family', 'friends_of_the_house'],
    ['Silver', 'silver_2'],
  ])('called %s gets the key %s', (name, key) => {
    const reading = read({ tiers: [...draft.tiers, typed(name)] });
    expect(tiersOf(reading)).toContainEqual(expect.objectContaining({ name, key }));
    expect('programme' in reading && ProgrammeInput.safeParse(reading.programme).success).toBe(
      true,
    );
  });

  it('shares its key with no other, even if their names are the same', () => {
    const name = 'Friends of the house and family';
    const tiers = ['1', '2', '3', '4', '5'].map((threshold) => typed(name, threshold, '1'));
    const reading = read({ tiers });
    const keys = [
      'friends_of_the_house',
      ...[2, 3, 4, 5].map((nth) => `friends_of_the_hou_${nth}`),
    ];
    expect(tiersOf(reading)).toMatchObject(keys.map((key) => ({ key })));
    expect('programme' in reading && ProgrammeInput.safeParse(reading.programme).success).toBe(
      true,
    );
  });

  it.each([
    ['name', typed(' ')],
    ['name', typed('x'.repeat(41))],
    ['threshold', typed('Bronze', '')],
    ['threshold', typed('Bronze', '0', '1')],
    ['threshold', typed('Bronze', '21474836.48', '2')],
    // That of silver.
    ['threshold', typed('Bronze', '500')],
    ['multiplier', typed('Bronze', '700', '')],
    ['multiplier', typed('Bronze', '100', '0.9')],
    ['multiplier', typed('Platinum', '2000', '10.001')],
    ['multiplier', typed('Bronze', '700', '1.2505')],
    // Less than that of silver, which is reached with less.
    ['multiplier', typed('Bronze', '700', '1.2')],
  ] as const)('is refused for its %s, and no other is: %j', (field, tier) => {
    const reading = read({ tiers: [...draft.tiers, tier] });
    const problems = 'problems' in reading ? reading.problems.tiers : {};
    expect(problems).toEqual({
      silver: {},
      gold: {},
      [tier.id]: { [field]: expect.any(String) },
    });
  });
});
