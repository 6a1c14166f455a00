import { CommandRefused } from './refusal.ts';

/** Returns the id; throws a CommandRefused when it is taken. */
export function requireUnused(id: string, taken: ReadonlyMap<string, unknown>): string {
  if (taken.has(id)) throw new CommandRefused(`The id ${id} is taken.`);
  return id;
}

/** Returns the amount; throws a CommandRefused unless it is in minor units, an integer from 0. */
export function requireMinorUnits(amount: number): number {
  if (!Number.isSafeInteger(amount) || amount < 0) {
    throw new CommandRefused(`${amount} is not an amount: give minor units, an integer from 0.`);
  }
  return amount;
}
