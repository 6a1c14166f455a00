import { type Html, html } from '../../html.ts';
import { button, customerForm, refundForm, tipForm } from '../shared/page-rows.ts';
import type { BetaSimulator } from './handle.ts';
import type { Merchant, Payment } from './model.ts';
import { isPending, refundable, type World } from './world.ts';

/** Renders a payment with buttons for its possible changes. */
export function paymentRow({ store }: World, payment: Payment): Html {
  const { id, orderId, result, amount, tipAmount, refunds } = payment;
  const order = orderId === undefined ? undefined : store.orders.get(orderId);
  const base = `/payments/${id}`;
  const left = refundable(payment);
  const buttons: Html[] = [];
  if (isPending(payment)) {
    buttons.push(
      html`<form method="post" action="${base}/settle">
<button name="result" value="SUCCESS">Succeed</button>
<button name="result" value="FAIL">Fail</button></form>`,
    );
  }
  if (left > 0) buttons.push(refundForm(base));
  if (result === 'SUCCESS' && refunds.length === 0) {
    buttons.push(button(`${base}/void`, 'Void'), tipForm(base));
  }
  if (order !== undefined && order.customerIds.length === 0) {
    buttons.push(customerForm(`/orders/${order.id}/customers`, 'Attach customer'));
  }
  return html`<tr><td>${id}</td><td>${result}</td><td>${amount} ${order?.currency}</td>
<td>${tipAmount}</td><td>${left}</td><td>${buttons}</td></tr>`;
}

/** Renders a merchant with its market link to the app and the button that uninstalls it. */
export function merchantRow({ id, name, currency }: Merchant, simulator: BetaSimulator): Html {
  return html`<tr><td>${id}</td><td>${name}</td><td>${currency}</td>
<td><a href="${simulator.marketLaunchUrl(id)}">Open the app in the market</a>
${button(`/merchants/${id}/uninstall`, 'Uninstall')}</td></tr>`;
}
