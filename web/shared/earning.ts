import { commonTexts } from '../texts/en/common.ts';
import type { Schema } from './client.tsx';
import { decimal, money } from './format.ts';

type Earning = Pick<Schema['RuleConfig'], 'conversionRate' | 'minSpendMinorUnits'>;

/** What payments earn by a rule, in words: 1 point for each €0.10, from a sale of €5.00. */
export function earningText(earning: Earning | null, currency: string | null): string {
  const { earning: words } = commonTexts;
  if (earning === null) return words.none;
  const { conversionRate, minSpendMinorUnits } = earning;
  const centsPerPoint = Math.round(1 / conversionRate);
  const isWhole = Math.abs(centsPerPoint * conversionRate - 1) < 1e-9;
  const rate = isWhole
    ? words.perPoint(money(centsPerPoint, currency))
    : words.perUnit(decimal(conversionRate * 100), money(100, currency));
  return minSpendMinorUnits === 0 ? rate : rate + words.from(money(minSpendMinorUnits, currency));
}
