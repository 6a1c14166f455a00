import { Big } from 'big.js';

/** Points as people write them. */
export function pointsOf(points: number): string {
  return points === 1 ? '1 point' : `${points} points`;
}

/** An amount as people write it: with as many decimals as its currency has. */
export function money(minorUnits: number, { currency }: { currency: string }): string {
  return `${decimalAmount(minorUnits, currency)} ${currency}`;
}

/** An amount with as many decimals as its currency has, and without its name: 12.50. */
export function decimalAmount(minorUnits: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return new Big(minorUnits).div(new Big(10).pow(decimals)).toFixed(decimals);
}

/** Decimals of the currencies that have not two, by ISO 4217; `sdk/money.ts` has the same. */
const OTHER_DECIMALS = new Map(
  [
    { decimals: 0, codes: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF' },
    { decimals: 3, codes: 'BHD IQD JOD KWD LYD OMR TND' },
  ].flatMap(({ decimals, codes }) => codes.split(' ').map((code) => [code, decimals] as const)),
);

/**
 * How many decimals a currency has, by which its minor unit is defined. `Intl` is not asked: it
 * leaves out decimals that are rare in writing, such as those of IQD, and would show an amount a
 * thousand times too large.
 */
export function decimalsOf(currency: string): number {
  return /^[A-Z]{3}$/.test(currency) ? (OTHER_DECIMALS.get(currency) ?? 2) : 0;
}
