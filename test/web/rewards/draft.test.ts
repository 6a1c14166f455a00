import { afterEach, describe, expect, it } from 'vitest';
import { RewardInput, rewardTermsOf } from '../../../domain/rewards.ts';
import { FIRST_DRAFT, type RewardDraft, readDraft } from '../../../web/portal/rewards/draft.ts';
import { showTimesIn } from '../../../web/shared/zone.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');
const coffee = { ...FIRST_DRAFT, name: 'A coffee', price: '300', value: '3.50' };
const read = (some: Partial<RewardDraft>) => readDraft({ ...coffee, ...some }, 'EUR', NOW);

afterEach(() => showTimesIn(null));

describe('a typed reward', () => {
  it('says all that was typed, and the service takes it', () => {
    showTimesIn('Europe/Berlin');
    const typed = read({ name: ' A coffee ', stock: '5', ends: '2026-04-03T08:00' });
    const reward = {
      name: 'A coffee',
      kind: 'item',
      pricePoints: 300,
      valueMinorUnits: 350,
      stock: 5,
      endsAt: '2026-04-03T06:00:00.000Z',
    };
    expect(typed).toEqual({ reward });
    expect(rewardTermsOf(RewardInput.parse(reward), new Date(NOW))).toMatchObject({ stock: 5 });
    expect(read({ kind: 'amount' })).toMatchObject({ reward: { stock: null, endsAt: null } });
  });

  it.each([
    ['name', { name: ' ' }],
    ['price', { price: '0' }],
    ['price', { price: '1000001' }],
    ['value', { value: '' }],
    ['value', { value: '30.01' }],
    ['stock', { stock: '0' }],
    ['stock', { stock: 'many' }],
    ['ends', { ends: '2026-03-01T08:00' }],
    ['ends', { ends: '2028-03-09T08:00' }],
  ] as const)('is refused for its %s: %j', (field, some) => {
    const reading = read(some);
    expect('problems' in reading ? Object.keys(reading.problems) : []).toEqual([field]);
  });
});
