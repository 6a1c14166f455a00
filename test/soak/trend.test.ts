import { describe, expect, it } from 'vitest';
import { Random } from '../../sandbox/providers/shared/random.ts';
import { type Point, trendOf } from './trend.ts';

const TOLERANCE = { share: 0.05, least: 10 };
const EVERY_SECONDS = 5;

/** Half an hour of samples, of which `of` is told the share of the time that is over. */
function series(of: (share: number, nth: number) => number): Point[] {
  return Array.from({ length: 361 }, (_, nth) => ({
    seconds: nth * EVERY_SECONDS,
    value: of(nth / 360, nth),
  }));
}

/** Noise of up to so much in either direction, the same in each run. */
function noise(amount: number): () => number {
  const random = new Random(7);
  return () => ((random.next() % 1_000) / 500 - 1) * amount;
}

const jitter = noise(25);

describe('trendOf', () => {
  it.each([
    ['a value that stays', () => 150],
    ['a value that varies by a sixth', () => 150 + jitter()],
    ['a heap that fills and is collected', (_: number, nth: number) => 130 + (nth % 24) * 3],
    ['warm-up', (share: number) => 150 - 70 * Math.exp(-share * 12)],
    [
      'outliers in the last third',
      (_: number, nth: number) => (nth > 250 && nth % 5 === 0 ? 900 : 150),
    ],
    ['one step up', (share: number) => (share > 0.7 ? 175 : 150)],
    ['a value that falls', (share: number) => 300 - 100 * share],
    ['growth within the tolerance', (share: number) => 150 + 20 * share],
  ])('%s does not grow', (_, of) => {
    expect(trendOf(series(of), TOLERANCE)?.isGrowing).toBe(false);
  });

  it.each([
    ['a leak', (share: number) => 150 + 60 * share],
    ['a leak under noise', (share: number) => 150 + 90 * share + jitter()],
    [
      'a leak under a heap that is collected',
      (share: number, nth: number) => 130 + (nth % 24) * 3 + 80 * share,
    ],
    ['a leak after warm-up', (share: number) => 150 - 70 * Math.exp(-share * 12) + 50 * share],
    ['a leak in steps', (share: number) => 150 + 20 * Math.floor(share * 8)],
    [
      'a leak that outliers hide',
      (share: number, nth: number) => (nth % 7 === 0 ? 20 : 150 + 80 * share),
    ],
    ['growth that gets faster', (share: number) => 150 + 90 * share ** 2],
  ])('%s grows', (_, of) => {
    expect(trendOf(series(of), TOLERANCE)?.isGrowing).toBe(true);
  });

  it('says how much a value grows in an hour, and the medians of the thirds', () => {
    const trend = trendOf(
      series((share) => 100 + 60 * share),
      TOLERANCE,
    );
    expect(trend?.perHour).toBeCloseTo(120);
    expect(trend?.thirds.map(Math.round)).toEqual([110, 130, 150]);
  });

  it('judges with what is left when samples are missing', () => {
    const holed = series((share) => 150 + 60 * share).filter((_, nth) => nth % 10 > 6);
    expect(trendOf(holed, TOLERANCE)?.isGrowing).toBe(true);
  });

  it.each([
    ['no points', []],
    ['points of one moment', series(() => 1).map((point) => ({ ...point, seconds: 3 }))],
    [
      'a third without points',
      series(() => 1).filter(({ seconds }) => seconds < 600 || seconds > 1_790),
    ],
  ])('%s tell nothing', (_, points) => {
    expect(trendOf(points, TOLERANCE)).toBeUndefined();
  });
});
