import type { Trail } from '../../db/payments/trail.ts';
import { type Explanation, explainPayment } from '../../domain/texts/explanation.ts';

/** Why a payment earned what it did, as its merchant reads it. */
export function explained({ payment }: Trail): Explanation {
  const { outcome, outcomeReason: reason, pointsAwarded: points, decision: record } = payment;
  return explainPayment({ outcome, reason, points, record }, 'merchant');
}
