import { decimalsOf } from '../../sdk/index.ts';
import { asTyped } from './format.ts';

/** About so many units as an amount of a currency is typed: 1250.50, or 1250 without decimals. */
export function exampleAmount(currency: string, units = 1_250): string {
  const decimals = decimalsOf(currency);
  return asTyped(decimals === 0 ? units : units + 0.5, decimals);
}
