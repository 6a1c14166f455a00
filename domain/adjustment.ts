import { z } from 'zod';
import { Refusal } from './errors.ts';

/** The ledger can hold more, but a manual adjustment beyond this is a typing error. */
const MAX_POINTS = 2 ** 31 - 1;
const MAX_REASON_LENGTH = 500;

/** Why an administrator acts. */
export const Reason = z.string().trim().min(1).max(MAX_REASON_LENGTH);

/** What an administrator sends to correct a balance: positive points credit, negative debit. */
export const AdjustmentInput = z.object({
  points: z
    .int()
    .min(-MAX_POINTS)
    .max(MAX_POINTS)
    .refine((points) => points !== 0, 'must not be zero')
    .describe('Positive credits, negative debits; never zero.')
    .meta({ override: { not: { const: 0 } } }),
  reason: Reason.describe('Why the balance is corrected; kept in the audit log.'),
});

/**
 * The balance that an adjustment leaves, once what the wallet owes is paid from it. Throws
 * INSUFFICIENT_BALANCE when the adjustment takes it below zero, and RULE_REJECTED when it is more
 * than can be counted exactly.
 */
export function adjustedBalance(
  { balance, owed }: { balance: number; owed: number },
  points: number,
): number {
  const adjusted = balance + points;
  if (adjusted < 0) {
    throw new Refusal('INSUFFICIENT_BALANCE', `The wallet holds only ${balance} points.`, {
      issue: 'insufficient_balance',
      params: { balance },
    });
  }
  if (!Number.isSafeInteger(adjusted)) {
    throw new Refusal('RULE_REJECTED', 'The wallet cannot hold that many points.');
  }
  return Math.max(0, adjusted - owed);
}

/**
 * Throws FORBIDDEN when an adjustment would exceed the administrator's limit of 24 hours, which is
 * as many points for credits as for debits; a limit of 0 is none. `adjusted` are the points of
 * before.
 */
export function requireWithinLimit(
  points: number,
  adjusted: { credited: number; debited: number },
  limit: number,
): void {
  if (limit === 0) return;
  const [kind, before] = points > 0 ? ['credit', adjusted.credited] : ['debit', adjusted.debited];
  const left = Math.max(0, limit - before);
  if (Math.abs(points) <= left) return;
  throw new Refusal(
    'FORBIDDEN',
    `You may ${kind} ${limit} points in 24 hours; ${left} are left. Ask another administrator.`,
    { issue: 'limit_per_day', params: { limit, left } },
  );
}
