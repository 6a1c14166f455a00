/** Round numbers from 0 to the first above the largest value; only 0 where there is none. */
export function ticksOf(most: number): number[] {
  if (most <= 0) return [0];
  const size = 10 ** Math.floor(Math.log10(most / 4));
  const step = [1, 2, 5, 10].map((times) => times * size).find((one) => one * 4 >= most) ?? most;
  const whole = Math.max(1, step);
  return Array.from({ length: Math.ceil(most / whole) + 1 }, (_, nth) => nth * whole);
}
