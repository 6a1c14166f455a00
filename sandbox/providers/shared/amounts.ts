import { decimalsOf } from '../../../domain/texts/wording.ts';
import type { Fields } from './page-forms.ts';
import { CommandRefused } from './refusal.ts';

const AMOUNT = /^(\d{1,9})(?:\.(\d{1,3}))?$/;

/**
 * Reads an amount that a person typed, such as 12.50, as minor units of its currency. Throws a
 * CommandRefused for any other text, and for more decimals than the currency has.
 */
export function minorUnitsOf(amount: string, currency: string): number {
  const [, whole, fraction = ''] = AMOUNT.exec(amount) ?? [];
  if (whole === undefined) throw new CommandRefused('The amount must be a number such as 12.50.');
  const decimals = decimalsOf(currency);
  if (fraction.length > decimals) {
    throw new CommandRefused(`An amount in ${currency} has ${decimals} decimals at most.`);
  }
  return Number(`${whole}${fraction.padEnd(decimals, '0')}`);
}

/** The fields of a form with the amounts among them in minor units of a currency. */
export function withMinorUnits(form: Fields, names: readonly string[], currency: string): Fields {
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      names.includes(name) ? minorUnitsOf(String(value), currency) : value,
    ]),
  );
}
