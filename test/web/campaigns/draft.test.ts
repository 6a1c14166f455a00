import { afterEach, describe, expect, it } from 'vitest';
import { CampaignInput, termsOf } from '../../../domain/campaigns.ts';
import {
  ALL_DAYS,
  type CampaignDraft,
  FIRST_DRAFT,
  readDraft,
  toggled,
} from '../../../web/portal/campaigns/draft.ts';
import { showTimesIn } from '../../../web/shared/zone.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const aDraft = (some: Partial<CampaignDraft> = {}) => ({ ...FIRST_DRAFT, name: 'Summer', ...some });

/** The campaign that is typed; the service takes it, too. */
function read(some: Partial<CampaignDraft>) {
  const reading = readDraft(aDraft(some), 'EUR', NOW);
  if (!('campaign' in reading)) throw new Error(JSON.stringify(reading.problems));
  termsOf(CampaignInput.parse(reading.campaign), new Date(NOW));
  return reading.campaign;
}

afterEach(() => showTimesIn(null));

describe('a typed campaign', () => {
  it('says little where little was typed', () => {
    expect(read({})).toEqual({
      name: 'Summer',
      multiplier: 2,
      minSpendMinorUnits: 0,
      audience: 'all',
      days: null,
      hours: null,
      endsAt: null,
      budgetPoints: null,
    });
  });

  it('takes as large a budget as the service does: some currencies have large numbers', () => {
    expect(read({ budget: '1000000000000' }).budgetPoints).toBe(1e12);
  });

  it('says all that was typed, by the clocks of the shop', () => {
    showTimesIn('Europe/Berlin');
    const typed = read({
      kind: 'points',
      points: '50',
      minSpend: '0,50',
      audience: 'first_purchase',
      days: '13',
      fromHour: '15:00',
      toHour: '00:00',
      starts: '2026-03-03T08:00',
      ends: '2026-04-03T08:00',
      budget: '1000',
    });
    expect(typed).toEqual({
      name: 'Summer',
      points: 50,
      minSpendMinorUnits: 50,
      audience: 'first_purchase',
      days: [1, 3],
      hours: { from: '15:00', to: '24:00' },
      startsAt: '2026-03-03T07:00:00.000Z',
      endsAt: '2026-04-03T06:00:00.000Z',
      budgetPoints: 1_000,
    });
  });

  it.each([
    ['name', { name: ' ' }],
    ['multiplier', { multiplier: '1' }],
    ['multiplier', { multiplier: '1.0001' }],
    ['multiplier', { multiplier: '10.5' }],
    ['points', { kind: 'points', points: '0', minSpend: '1' }],
    ['minSpend', { kind: 'points', points: '51', minSpend: '0.50' }],
    ['minSpend', { minSpend: 'much' }],
    ['days', { days: '' }],
    ['toHour', { fromHour: '15:00' }],
    ['toHour', { fromHour: '15:00', toHour: '15:00' }],
    ['starts', { starts: '2026-03-01T08:00' }],
    ['ends', { ends: '2026-03-01T08:00' }],
    ['ends', { ends: '2028-03-09T08:00' }],
    ['budget', { budget: '0' }],
    ['budget', { budget: 'much' }],
  ] as const)('is refused for its %s: %j', (field, some) => {
    const reading = readDraft(aDraft(some), 'EUR', NOW);
    expect('problems' in reading ? Object.keys(reading.problems) : []).toEqual([field]);
  });
});

describe('a day', () => {
  it('is on or off, in the order of the week', () => {
    expect(toggled(ALL_DAYS, '3')).toBe('124567');
    expect(toggled('7', '1')).toBe('17');
    expect(toggled('1', '1')).toBe('');
  });
});
