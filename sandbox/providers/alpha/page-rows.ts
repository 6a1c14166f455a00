import { type Html, html } from '../../html.ts';
import type { DeliveryEntry } from '../shared/journal.ts';
import type { Merchant, Payment } from './model.ts';
import type { World } from './world.ts';

/** A payment with the buttons for what may become of it. */
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
  if (payment.customer_id === undefined) buttons.push(customerForm(base));
  const { amount, currency } = payment.total_money;
  return html`<tr><td>${payment.id}</td><td>${payment.status}</td><td>${amount} ${currency}</td>
<td>${payment.refunded_money?.amount}</td><td>${buttons}</td></tr>`;
}

/** An attempt to deliver an event, and its answer. */
export function deliveryRow(entry: DeliveryEntry): Html {
  return html`<tr><td>${entry.at}</td><td>${entry.type}</td><td>${entry.objectId}</td>
<td>${entry.attempt}</td>
<td>${entry.outcome} ${entry.status} ${entry.answer ?? entry.note}</td></tr>`;
}

/** A merchant with its locations, and the button that withdraws its consent. */
export function merchantRow({ store }: World, { id, name }: Merchant): Html {
  const locations = [...store.locations.values()]
    .filter((location) => location.merchant_id === id)
    .map((location) => html`${location.name} (${location.currency})`);
  return html`<tr><td>${id}</td><td>${name}</td><td>${locations}</td>
<td>${button(`/merchants/${id}/revoke`, 'Withdraw consent')}</td></tr>`;
}

/** What can still be refunded of a payment, in minor units. */
export function refundable(payment: Payment): number {
  return payment.total_money.amount - (payment.refunded_money?.amount ?? 0);
}

function button(action: string, label: string): Html {
  return html`<form method="post" action="${action}"><button>${label}</button>
</form>`;
}

function refundForm(base: string): Html {
  return html`<form method="post" action="${base}/refund">
<input name="amount" type="number" min="1" placeholder="all"><button>Refund</button></form>`;
}

function tipForm(base: string): Html {
  return html`<form method="post" action="${base}/tip">
<input name="amount" type="number" min="0" required><button>Tip</button></form>`;
}

function customerForm(base: string): Html {
  return html`<form method="post" action="${base}/customer">
<input name="customerId" list="customers" placeholder="customer" required>
<button>Name customer</button></form>`;
}
