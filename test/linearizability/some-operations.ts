import { check } from './checker.ts';
import { judged, type Recorded } from './history.ts';
import { type WalletRequest, walletOf } from './wallet.ts';

// What the tests of the model record.

const TERMS = {
  minBalance: 100,
  maxShare: 60,
  reward: { price: 60, stock: 2 },
  campaign: { percent: 150, budget: 100 },
};
/** A wallet that holds 1000 points at the beginning. */
export const wallet = walletOf(1_000, TERMS);
export const FOREVER = Number.POSITIVE_INFINITY;

/** An operation as it was recorded; without an answer, nobody knows what became of it. */
export function op(start: number, end: number, request: WalletRequest, answer?: string): Recorded {
  return { caller: 'test', request, answer, start, end };
}
export const confirm = (points: number, key?: string): WalletRequest => {
  return { kind: 'confirm', points, code: '', ...(key !== undefined && { key }) };
};
export const sale = (amount: number, name = 'S'): WalletRequest => {
  return { kind: 'sale', sale: name, amount };
};
export const refund = (refunded: number): WalletRequest => {
  return { kind: 'refund', sale: 'S', refunded };
};
export const adjust = (points: number): WalletRequest => ({ kind: 'adjust', points });
export const take: WalletRequest = { kind: 'take', code: '' };
export const [balance, history, freeze] = [
  { kind: 'balance' },
  { kind: 'history' },
  { kind: 'freeze' },
] as const;
export const [complete, cancel, lookup, overdue, expire] = [
  { kind: 'complete', code: 'A' },
  { kind: 'cancel', code: 'A' },
  { kind: 'lookup', code: 'A' },
  { kind: 'overdue', code: 'A' },
  { kind: 'expire', codes: ['A'] },
] as const;
/** The entry that every history of it ends with. */
export const FIRST = '+1000 admin_adjustment 1000';
export const issued = op(0, 1, confirm(300), 'code A');
/** Whether there is an order in which the wallet would have given these answers. */
export const isFine = (recorded: readonly Recorded[]) =>
  check(wallet, judged(recorded)).is === 'linearizable';
