import type { Schema } from './client.tsx';
import { money } from './format.ts';

/** What of a code says what it is for. */
export type CodeWorth = Pick<
  Schema['Redemption'],
  'reward' | 'discountValueMinorUnits' | 'currency'
>;

/** What a code is worth: the item that is handed out for it, or the money that it takes off. */
export function worthOf({ reward, discountValueMinorUnits, currency }: CodeWorth): string {
  return itemOf({ reward }) ?? money(discountValueMinorUnits, currency);
}

/** The name of the item that a code is for; undefined where it takes money off. */
export function itemOf({ reward }: Pick<CodeWorth, 'reward'>): string | undefined {
  return reward?.kind === 'item' ? reward.name : undefined;
}
