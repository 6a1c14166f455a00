import { type Html, html, table } from '../../html.ts';
import type { DeliveryEntry, Journal } from './journal.ts';
import { amountInput } from './page-forms.ts';

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
${table(['At', what, 'Of', 'Attempt', 'Answer'], newest(deliveries).map(deliveryCells))}`;
}

function deliveryCells(entry: DeliveryEntry) {
  const { at, type, objectId, attempt, outcome, status, answer, note } = entry;
  return [at, type, objectId, attempt, html`${outcome} ${status} ${answer ?? note}`];
}

/** Renders a form that consists of a button. */
export function button(action: string, label: string): Html {
  return html`<form method="post" action="${action}"><button>${label}</button>
</form>`;
}

/** Renders the link to what came of a payment in the service, if that is known anywhere. */
export function outcomeLink(url: string | undefined): Html {
  return url === undefined ? html`` : html`<p><a href="${url}">What it earned</a></p>`;
}

/** Renders the form that refunds the payment at `base`, in full when no amount is given. */
export function refundForm(base: string): Html {
  return html`<form method="post" action="${base}/refund">
${amountInput('amount', html`placeholder="all" aria-label="Amount to refund"`)}
<button>Refund</button></form>`;
}

/** Renders the form that sets the tip of the payment at `base`. */
export function tipForm(base: string): Html {
  return html`<form method="post" action="${base}/tip">
${amountInput('amount', html`required aria-label="Tip"`)}<button>Tip</button></form>`;
}

/** Renders the form that attaches a customer. */
export function customerForm(action: string, label: string): Html {
  return html`<form method="post" action="${action}">
<input name="customerId" list="customers" aria-label="Customer" placeholder="customer" required>
<button>${label}</button></form>`;
}
