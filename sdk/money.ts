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
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  // Not every currency has hundredths: the yen has none, the dinar has thousandths.
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}
