import { Currency } from '../../domain/currency.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The codes of all currencies that the service accepts. */
export const acceptedCurrencies = LETTERS.flatMap((first) =>
  LETTERS.flatMap((second) => LETTERS.map((third) => first + second + third)),
).filter((code) => Currency.safeParse(code).success);

/** The number in an English text with one, such as `1234.56` in `HUF 1,234.56`. */
export function numberIn(text: string): string | undefined {
  return /\d[\d,.]*/.exec(text)?.[0].replaceAll(',', '');
}
