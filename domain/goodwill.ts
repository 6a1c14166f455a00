import { z } from 'zod';
import { Reason } from './adjustment.ts';
import { Refusal } from './errors.ts';
import type { UserId } from './ids.ts';

/** What became of points that a merchant asked for. */
export const GOODWILL_STATUSES = ['open', 'granted', 'declined', 'withdrawn'] as const;
export type GoodwillStatus = (typeof GOODWILL_STATUSES)[number];

/** How many requests of a shop may wait for an answer. */
export const MOST_OPEN = 20;
/** More would be a typing error. */
const MOST_POINTS = 100_000;

/** What a merchant asks for. */
export const GoodwillInput = z.object({
  points: z.int().min(1).max(MOST_POINTS).describe('To be added to the balance.'),
  reason: Reason.describe('Why, for the administrator who answers; no names, no addresses.'),
});

/** Throws RULE_REJECTED when points may not be asked for, beside what waits of the shop. */
export function requireAskable({ isAsked, open }: { isAsked: boolean; open: number }): void {
  if (isAsked) {
    const message = 'Points were asked for this customer, and are not answered yet. Withdraw that.';
    throw new Refusal('RULE_REJECTED', message, 'goodwill_open');
  }
  if (open < MOST_OPEN) return;
  const message = `${MOST_OPEN} requests of the shop wait for an answer. Withdraw one first.`;
  throw new Refusal('RULE_REJECTED', message, 'too_many_goodwill');
}

/** Throws RULE_REJECTED for a request that is closed. */
export function requireOpen({ status }: { status: GoodwillStatus }): void {
  if (status === 'open') return;
  const message = `This request is ${status}: nothing can be done about it any more.`;
  throw new Refusal('RULE_REJECTED', message, { issue: 'goodwill_state', params: { status } });
}

/** Throws FORBIDDEN for whoever asked, who may not grant it: it takes two people. */
export function requireAnother(userId: UserId, { requestedBy }: { requestedBy: UserId }): void {
  if (userId !== requestedBy) return;
  const message = 'You have asked for these points yourself. Ask another administrator.';
  throw new Refusal('FORBIDDEN', message, 'own_wallet');
}
