import { percentile } from '../../bench/statistics.ts';

/** A measured value, and the seconds since the start at which it was measured. */
export type Point = { seconds: number; value: number };

/** How much of growth is noise: a share of the value, but no less than so much. */
export type Tolerance = { share: number; least: number };

export type Trend = {
  /** The median of each third of the time. */
  thirds: readonly [number, number, number];
  /** What the value grows by in an hour, in the last two thirds. */
  perHour: number;
  isGrowing: boolean;
};

const FEWEST_PER_THIRD = 5;
/** Slopes are taken between all pairs, so that more points would cost much and tell nothing. */
const MOST_POINTS = 500;

/**
 * Tells a value that grows on from one that varies. Returns undefined if there are too few points.
 *
 * The first third of the time is warm-up and is not judged: caches fill, code is compiled, a heap
 * finds its size. A value grows if both are more than the tolerance: the median of the last third
 * less that of the middle third, and the slope of these two thirds over the time of one. The slope
 * is that of Theil and Sen, the median of the slopes between all pairs of points. Medians and this
 * slope do not follow outliers, of which there may be up to a quarter; a single step, as when a
 * heap is enlarged once, moves the medians more than the slope. What grows more slowly than the
 * tolerance in a third of the time is not found: run longer for that.
 */
export function trendOf(points: readonly Point[], tolerance: Tolerance): Trend | undefined {
  const [from, until] = [points[0]?.seconds ?? 0, points.at(-1)?.seconds ?? 0];
  const thirdSeconds = (until - from) / 3;
  if (thirdSeconds <= 0) return undefined;
  const placeOf = ({ seconds }: Point) => Math.min(2, Math.floor((seconds - from) / thirdSeconds));
  const places = [0, 1, 2].map((place) => points.filter((point) => placeOf(point) === place));
  if (places.some((third) => third.length < FEWEST_PER_THIRD)) return undefined;

  const [first = 0, middle = 0, last = 0] = places.map((third) => medianOf(third));
  const slope = theilSen(points.filter((point) => placeOf(point) > 0));
  const tolerated = Math.max(tolerance.least, tolerance.share * middle);
  return {
    thirds: [first, middle, last],
    perHour: slope * 3_600,
    isGrowing: last - middle > tolerated && slope * thirdSeconds > tolerated,
  };
}

function medianOf(points: readonly Point[]): number {
  return percentile(
    points.map(({ value }) => value),
    50,
  );
}

/** The median slope between pairs of points, per second. */
function theilSen(all: readonly Point[]): number {
  const step = Math.ceil(all.length / MOST_POINTS);
  const points = all.filter((_, nth) => nth % step === 0);
  const slopes = points.flatMap((later, nth) =>
    points
      .slice(0, nth)
      .filter(({ seconds }) => seconds < later.seconds)
      .map(({ seconds, value }) => (later.value - value) / (later.seconds - seconds)),
  );
  return percentile(slopes, 50);
}
