import { money } from '../../../domain/texts/wording.ts';
import { type Html, html } from '../../html.ts';
import { wholeName } from '../shared/page-forms.ts';
import { button, customerForm, outcomeLink, refundForm, tipForm } from '../shared/page-rows.ts';
import type { Merchant, Payment } from './model.ts';
import type { World } from './world.ts';

/** The cells of a payment, with buttons for its possible changes. */
export function paymentCells({ store, outcomeUrl }: World, payment: Payment) {
  const base = `/payments/${payment.id}`;
  const buttons: Html[] = [];
  if (payment.status === 'APPROVED') {
    buttons.push(button(`${base}/capture`, 'Capture'), button(`${base}/cancel`, 'Cancel'));
    buttons.push(button(`${base}/decline`, 'Decline'), tipForm(base));
  }
  if (payment.status === 'COMPLETED' && refundable(payment) > 0) {
    buttons.push(refundForm(base), tipForm(base));
  }
  if (payment.customer_id === undefined)
    buttons.push(customerForm(`${base}/customer`, 'Attach customer'));
  const { total_money: total, refunded_money: refunded } = payment;
  const customer = store.customers.get(payment.customer_id ?? '')?.value;
  return [
    html`${payment.id}${outcomeLink(outcomeUrl?.(payment.id))}`,
    customer && wholeName([customer.given_name, customer.family_name]),
    payment.status,
    money(total.amount, total),
    refunded && money(refunded.amount, refunded),
    buttons,
  ];
}

/** The cells of a merchant, with its locations and the button that revokes its consent. */
export function merchantCells({ store }: World, { id, name }: Merchant) {
  const locations = [...store.locations.values()]
    .filter((location) => location.merchant_id === id)
    .map((location) => html`${location.name} (${location.currency})`);
  return [id, name, locations, button(`/merchants/${id}/revoke`, 'Revoke consent')];
}

/** The part of a payment that can still be refunded, in minor units. */
export function refundable(payment: Payment): number {
  return payment.total_money.amount - (payment.refunded_money?.amount ?? 0);
}
