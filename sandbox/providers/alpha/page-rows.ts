import { type Html, html } from '../../html.ts';
import { button, customerForm, refundForm, tipForm } from '../shared/page-rows.ts';
import type { Merchant, Payment } from './model.ts';
import type { World } from './world.ts';

/** Renders a payment with buttons for its possible changes. */
export function paymentRow(payment: Payment): Html {
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
  const { amount, currency } = payment.total_money;
  return html`<tr><td>${payment.id}</td><td>${payment.status}</td><td>${amount} ${currency}</td>
<td>${payment.refunded_money?.amount}</td><td>${buttons}</td></tr>`;
}

/** Renders a merchant with its locations and the button that revokes its consent. */
export function merchantRow({ store }: World, { id, name }: Merchant): Html {
  const locations = [...store.locations.values()]
    .filter((location) => location.merchant_id === id)
    .map((location) => html`${location.name} (${location.currency})`);
  return html`<tr><td>${id}</td><td>${name}</td><td>${locations}</td>
<td>${button(`/merchants/${id}/revoke`, 'Revoke consent')}</td></tr>`;
}

/** The part of a payment that can still be refunded, in minor units. */
export function refundable(payment: Payment): number {
  return payment.total_money.amount - (payment.refunded_money?.amount ?? 0);
}
