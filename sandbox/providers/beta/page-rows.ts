import { type Html, html } from '../../html.ts';
import type { Merchant, Payment } from './model.ts';
import type { BetaSimulator } from './simulator.ts';
import { isPending, refundable, type World } from './world.ts';

/** A payment with the buttons for what may become of it. */
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
  if (left > 0) {
    buttons.push(html`<form method="post" action="${base}/refund">
<input name="amount" type="number" min="1" placeholder="all"><button>Refund</button></form>`);
  }
  if (result === 'SUCCESS' && refunds.length === 0) {
    buttons.push(html`<form method="post" action="${base}/void"><button>Void</button></form>
<form method="post" action="${base}/tip">
<input name="amount" type="number" min="0" required><button>Tip</button></form>`);
  }
  if (order !== undefined && order.customerIds.length === 0) {
    buttons.push(html`<form method="post" action="/orders/${order.id}/customers">
<input name="customerId" list="customers" placeholder="customer" required>
<button>Attach</button></form>`);
  }
  return html`<tr><td>${id}</td><td>${result}</td><td>${amount} ${order?.currency}</td>
<td>${tipAmount}</td><td>${left}</td><td>${buttons}</td></tr>`;
}

/** A merchant, its way into the app from the provider's market, and the button that removes it. */
export function merchantRow({ id, name, currency }: Merchant, simulator: BetaSimulator): Html {
  return html`<tr><td>${id}</td><td>${name}</td><td>${currency}</td>
<td><a href="${simulator.marketLaunchUrl(id)}">Open the app in the market</a>
<form method="post" action="/merchants/${id}/uninstall"><button>Uninstall</button></form>
</td></tr>`;
}
