import { type Html, html } from '../../html.ts';
import type { DeliveryEntry, Journal } from './journal.ts';

const SHOWN_ROWS = 25;

/** Returns the newest items, newest first, as many as the page shows. */
export function newest<T>(items: Iterable<T>): T[] {
  return [...items].slice(-SHOWN_ROWS).toReversed();
}

/** Renders the webhooks sent, newest first; `what` is the heading above their types. */
export function deliveryTable(journal: Journal, what: string): Html {
  const deliveries = journal.entries().filter((entry) => entry.kind === 'delivery');
  return html`<h2>Webhooks sent</h2>
<p>Newest first. <a href="/">Reload</a> · <a href="/_sim/journal">Full journal as JSON</a></p>
<table><tr><th>At</th><th>${what}</th><th>Of</th><th>Attempt</th><th>Answer</th></tr>
${newest(deliveries).map(deliveryRow)}</table>`;
}

function deliveryRow(entry: DeliveryEntry): Html {
  return html`<tr><td>${entry.at}</td><td>${entry.type}</td><td>${entry.objectId}</td>
<td>${entry.attempt}</td>
<td>${entry.outcome} ${entry.status} ${entry.answer ?? entry.note}</td></tr>`;
}

/** Renders a form that consists of a button. */
export function button(action: string, label: string): Html {
  return html`<form method="post" action="${action}"><button>${label}</button>
</form>`;
}

/** Renders the form that refunds the payment at `base`, in full when no amount is given. */
export function refundForm(base: string): Html {
  return html`<form method="post" action="${base}/refund">
<input name="amount" type="number" min="1" placeholder="all"><button>Refund</button></form>`;
}

/** Renders the form that sets the tip of the payment at `base`. */
export function tipForm(base: string): Html {
  return html`<form method="post" action="${base}/tip">
<input name="amount" type="number" min="0" required><button>Tip</button></form>`;
}

/** Renders the form that attaches a customer. */
export function customerForm(action: string, label: string): Html {
  return html`<form method="post" action="${action}">
<input name="customerId" list="customers" placeholder="customer" required>
<button>${label}</button></form>`;
}
