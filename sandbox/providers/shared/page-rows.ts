import { type Html, html } from '../../html.ts';
import type { DeliveryEntry, Journal } from './journal.ts';

const SHOWN_ROWS = 25;

/** The newest items that fit on the page, newest first. */
export function newest<T>(items: Iterable<T>): T[] {
  return [...items].slice(-SHOWN_ROWS).toReversed();
}

/** The webhooks sent, newest first; `what` heads the column of their types. */
export function deliveryTable(journal: Journal, what: string): Html {
  const deliveries = journal.entries().filter((entry) => entry.kind === 'delivery');
  return html`<h2>Webhooks sent</h2>
<p>Newest first. <a href="/">Reload</a> · <a href="/_sim/journal">Whole journal as JSON</a></p>
<table><tr><th>At</th><th>${what}</th><th>Of</th><th>Attempt</th><th>Answer</th></tr>
${newest(deliveries).map(deliveryRow)}</table>`;
}

function deliveryRow(entry: DeliveryEntry): Html {
  return html`<tr><td>${entry.at}</td><td>${entry.type}</td><td>${entry.objectId}</td>
<td>${entry.attempt}</td>
<td>${entry.outcome} ${entry.status} ${entry.answer ?? entry.note}</td></tr>`;
}

/** A form that is only a button. */
export function button(action: string, label: string): Html {
  return html`<form method="post" action="${action}"><button>${label}</button>
</form>`;
}

/** The form that refunds an amount of the payment at `base`, or all that is left. */
export function refundForm(base: string): Html {
  return html`<form method="post" action="${base}/refund">
<input name="amount" type="number" min="1" placeholder="all"><button>Refund</button></form>`;
}

/** The form that sets the tip of the payment at `base`. */
export function tipForm(base: string): Html {
  return html`<form method="post" action="${base}/tip">
<input name="amount" type="number" min="0" required><button>Tip</button></form>`;
}

/** The form that names a customer of what is at `action`. */
export function customerForm(action: string, label: string): Html {
  return html`<form method="post" action="${action}">
<input name="customerId" list="customers" placeholder="customer" required>
<button>${label}</button></form>`;
}
