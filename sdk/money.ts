/**
 * The decimals of the currencies of ISO 4217 that have not two. The browser is not asked: it leaves
 * out decimals that are rare in writing, such as those of the forint, and each browser others.
 */
const OTHER_DECIMALS = new Map(
  [
    { decimals: 0, codes: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF' },
    { decimals: 3, codes: 'BHD IQD JOD KWD LYD OMR TND' },
  ].flatMap(({ decimals, codes }) => codes.split(' ').map((code) => [code, decimals] as const)),
);

/**
 * Returns how many decimals a currency has, by which its minor unit is defined: 2 for EUR, 0 for
 * JPY.
 */
export function decimalsOf(currency: string): number {
  return OTHER_DECIMALS.get(currency.toUpperCase()) ?? 2;
}

/**
 * Formats an amount in minor units, such as cents, as people of the locale write it. Without a
 * currency it is a plain number: the shop's is not known yet.
 */
export function formatMinorUnits(
  amount: number,
  currency: string | null,
  locale?: string | string[],
): string {
  if (currency === null) return new Intl.NumberFormat(locale).format(amount);
  const decimals = decimalsOf(currency);
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount / 10 ** decimals);
}
