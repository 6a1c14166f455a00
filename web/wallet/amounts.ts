import { unitOf } from '../shared/format.ts';

/** How many steps a slider has at least, so that a thumb finds one. */
const FEWEST_STEPS = 20;
const NICE = [1, 5];

/** The numbers of points that a slider offers, in steps that are easy to say, up to all of them. */
export function stopsOf({ min, max }: { min: number; max: number }): number[] {
  const step = stepOf(max);
  const first = Math.max(1, Math.ceil(min / step)) * step;
  const stops: number[] = [];
  for (let points = first; points < max; points += step) stops.push(points);
  return [...stops, max];
}

/** 1, 5, 10, 50, 100 and so on: the largest that leaves enough steps. */
function stepOf(max: number): number {
  let step = 1;
  for (let power = 1; power * FEWEST_STEPS <= max; power *= 10) {
    for (const nice of NICE) if (nice * power * FEWEST_STEPS <= max) step = nice * power;
  }
  return step;
}

/** What can be chosen at once, such as $1 and $5, in points; all of them is not among it. */
export function presetsOf({ min, max }: { min: number; max: number }, currency: string): number[] {
  // Of yen, whose unit is as small as a cent, a hundred.
  const unit = Math.max(100, unitOf(currency));
  return [unit, 5 * unit].filter((points) => points >= min && points < max);
}

/** About how much has to be paid until a balance is reached, in minor units. */
export function spendUntil(missing: number, conversionRate: number): number {
  return Math.ceil(missing / conversionRate);
}
