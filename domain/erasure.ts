import { Refusal } from './errors.ts';
import type { Role } from './roles.ts';

/** How long an erasure can be withdrawn before it begins. */
export const ERASED_AFTER_HOURS = 72;
/** Who worked at a till is erased by an administrator only, for so long after that. */
export const OPERATOR_DAYS = 90;

export const ERASURE_STATUSES = ['scheduled', 'withdrawn', 'running', 'done'] as const;
export type ErasureStatus = (typeof ERASURE_STATUSES)[number];

/** When what has happened to an erasure did so. */
export type ErasureTimes = {
  withdrawnAt: Date | null;
  begunAt: Date | null;
  doneAt: Date | null;
};

/** What has become of an erasure. */
export function erasureStatusOf({ withdrawnAt, begunAt, doneAt }: ErasureTimes): ErasureStatus {
  if (withdrawnAt !== null) return 'withdrawn';
  if (doneAt !== null) return 'done';
  return begunAt === null ? 'scheduled' : 'running';
}

/** Somebody who may be erased. */
export type Erasable = {
  role: Role;
  /** Whether they work at a till, or did in the last 90 days. */
  isOperator: boolean;
};

/** Whether the person may be erased, by themselves or by an administrator. */
export function isErasable({ role, isOperator }: Erasable, by: 'person' | 'admin'): boolean {
  if (role !== 'consumer' && role !== 'pos_operator') return false;
  return by === 'admin' || !isOperator;
}

/** Throws RULE_REJECTED unless the person may be erased. */
export function requireErasable(person: Erasable, by: 'person' | 'admin'): void {
  if (isErasable(person, by)) return;
  const message = isErasable(person, 'admin')
    ? `You work at a till, or did in the last ${OPERATOR_DAYS} days. Ask support to erase you.`
    : 'Merchants and administrators are not erased. Close the shop, or change the role, first.';
  throw new Refusal('RULE_REJECTED', message, 'not_erasable');
}
