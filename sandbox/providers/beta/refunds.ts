import { requireMinorUnits } from '../shared/checks.ts';
import { CommandRefused } from '../shared/refusal.ts';
import { newId } from './accounts.ts';
import type { Payment, Refund } from './model.ts';
import { updatePayment, wrongResult } from './payment-lifecycle.ts';
import { paymentOf, refundable, type World } from './world.ts';

/**
 * Refunds part of a SUCCESS payment, in minor units, or all that is left, tip included.
 *
 * The payment stays SUCCESS and the refund is a separate object; sends `P:UPDATE`. Throws when the
 * refunds would exceed the payment.
 */
export function refund(world: World, paymentId: string, amount?: number): Refund {
  const payment = paymentOf(world, paymentId);
  if (payment.result !== 'SUCCESS') throw wrongResult(payment, 'refunded');
  const left = refundable(payment);
  const wanted = amount ?? left;
  requireMinorUnits(wanted);
  if (wanted < 1 || wanted > left) {
    throw new CommandRefused(
      `Payment ${paymentId} has ${left} left: ${wanted} cannot be refunded.`,
    );
  }
  const done: Refund = { id: newId(world), amount: wanted, createdTime: world.now().getTime() };
  updatePayment(world, { ...payment, refunds: [...payment.refunds, done] });
  return done;
}

/**
 * Lets a refund fail after all: the payment is without it from then on; sends `P:UPDATE`. Throws
 * when the payment has no such refund.
 */
export function failRefund(world: World, paymentId: string, refundId: string): Payment {
  const payment = paymentOf(world, paymentId);
  const refunds = payment.refunds.filter(({ id }) => id !== refundId);
  if (refunds.length === payment.refunds.length) {
    throw new CommandRefused(`Payment ${paymentId} has no refund ${refundId}.`);
  }
  return updatePayment(world, { ...payment, refunds });
}

/** Voids a SUCCESS payment, which becomes VOIDED; sends `P:UPDATE`. */
export function voidPayment(world: World, paymentId: string, reason = 'USER_CANCEL'): Payment {
  const payment = paymentOf(world, paymentId);
  if (payment.result !== 'SUCCESS' || payment.refunds.length > 0) {
    throw wrongResult(payment, 'voided');
  }
  return updatePayment(world, { ...payment, result: 'VOIDED', voidReason: reason });
}
