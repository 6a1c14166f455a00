import { describe, expect, it } from 'vitest';
import { presetsOf, spendUntil, stopsOf } from '../../web/wallet/amounts.ts';

// What the wallet offers to choose from.

describe('stopsOf', () => {
  it.each([
    { min: 1, max: 1, stops: [1] },
    { min: 1, max: 3, stops: [1, 2, 3] },
    { min: 100, max: 210, stops: [100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200, 210] },
  ])('are easy to say, up to all: $max from $min', ({ stops, ...redeemable }) => {
    expect(stopsOf(redeemable)).toEqual(stops);
  });

  it.each([17, 99, 1_250, 12_500, 2_147_483_647])('are not too many of %i', (max) => {
    const stops = stopsOf({ min: 1, max });
    expect(stops.length).toBeLessThanOrEqual(101);
    expect(stops.at(-1)).toBe(max);
    expect(new Set(stops).size).toBe(stops.length);
  });
});

describe('presetsOf', () => {
  it.each([
    { max: 12_500, currency: 'USD', presets: [100, 500] },
    { max: 500, currency: 'USD', presets: [100] },
    { max: 99, currency: 'EUR', presets: [] },
    { max: 1_000, currency: 'JPY', presets: [100, 500] },
    { max: 9_000, currency: 'KWD', presets: [1_000, 5_000] },
  ])('of $max in $currency', ({ max, currency, presets }) => {
    expect(presetsOf({ min: 1, max }, currency)).toEqual(presets);
  });
});

it('says what has to be spent for the points that are missing', () => {
  expect([spendUntil(180, 0.1), spendUntil(1, 3)]).toEqual([1_800, 1]);
});
