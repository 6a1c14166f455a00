import { Big } from 'big.js';

/** Points as people write them. */
export function pointsOf(points: number): string {
  return points === 1 ? '1 point' : `${points} points`;
}

/** An amount as people write it: with as many decimals as its currency has. */
export function money(minorUnits: number, { currency }: { currency: string }): string {
  const decimals = decimalsOf(currency);
  return `${new Big(minorUnits).div(new Big(10).pow(decimals)).toFixed(decimals)} ${currency}`;
}

function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 0;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 0;
}
