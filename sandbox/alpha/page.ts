import Router from '@koa/router';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { z } from 'zod';
import { type Html, html, sendPage } from '../html.ts';
import { ringOrder, SaleOrder } from './control.ts';
import type { DeliveryEntry } from './journal.ts';
import type { Payment } from './model.ts';
import { cancel, capture, refund } from './story.ts';
import type { World } from './world.ts';

const SHOWN_ROWS = 25;

/** The page to play with: rings, captures, cancels and refunds sales, and shows what was sent. */
export function createPage(world: World): Router {
  const router = new Router();
  const form = bodyParser({ enableTypes: ['form'] });
  const payment = (id: string | undefined) => world.store.payments.get(id ?? '')?.value;

  router.get('/', (ctx) => showPage(ctx, world));
  router.post('/sales', form, (ctx) => {
    ringOrder(world, readSale(ctx.request.body));
    backToPage(ctx);
  });
  router.post('/payments/:id/capture', (ctx) => {
    capture(world, ctx.params.id ?? '');
    backToPage(ctx);
  });
  router.post('/payments/:id/cancel', (ctx) => {
    cancel(world, ctx.params.id ?? '');
    backToPage(ctx);
  });
  router.post('/payments/:id/refund', (ctx) => {
    const paid = payment(ctx.params.id);
    refund(world, ctx.params.id ?? '', paid === undefined ? 0 : refundable(paid));
    backToPage(ctx);
  });
  return router;
}

/** A form has only text, and an empty field means that nothing was said. */
function readSale(body: unknown) {
  const fields = z.record(z.string(), z.string()).parse(body);
  const said = Object.entries(fields).filter(([, value]) => value.trim() !== '');
  const numbers = said.map(([name, value]) =>
    name === 'amount' || name === 'tip' ? [name, Number(value)] : [name, value.trim()],
  );
  return SaleOrder.parse(Object.fromEntries(numbers));
}

function backToPage(ctx: Context): void {
  ctx.status = 303;
  ctx.redirect('/');
}

function showPage(ctx: Context, world: World): void {
  const payments = [...world.store.payments.values()].slice(-SHOWN_ROWS).toReversed();
  const deliveries = world.journal
    .entries()
    .filter((entry) => entry.kind === 'delivery')
    .slice(-SHOWN_ROWS)
    .toReversed();
  sendPage(
    ctx,
    'Simulated provider alpha',
    html`${saleForm(world)}
<h2>Payments</h2>
<table><tr><th>Payment</th><th>Status</th><th>Amount</th><th>Refunded</th><th></th></tr>
${payments.map(({ value }) => paymentRow(value))}</table>
<h2>Webhooks sent</h2>
<p>Newest first. <a href="/">Reload</a> · <a href="/_sim/journal">Whole journal as JSON</a></p>
<table><tr><th>At</th><th>Event</th><th>Of</th><th>Attempt</th><th>Answer</th></tr>
${deliveries.map(deliveryRow)}</table>`,
  );
}

function saleForm({ store }: World): Html {
  const merchants = [...store.merchants.values()].map(
    ({ id, name }) => html`<option value="${id}">${name}</option>`,
  );
  const locations = [...store.locations.values()].map(
    ({ id, name, merchant_id }) =>
      html`<option value="${id}">${name} (${store.merchants.get(merchant_id)?.name})</option>`,
  );
  const customers = [...store.customers.values()].map(
    ({ value }) => html`<option value="${value.id}">${value.given_name} ${value.family_name},
${value.email_address ?? value.phone_number ?? 'no contact'}</option>`,
  );
  return html`<form method="post" action="/sales">
<label>Merchant <select name="merchantId">${merchants}</select></label>
<label>Location
<select name="locationId"><option value="">main</option>${locations}</select></label>
<label>Amount in minor units
<input name="amount" type="number" min="0" value="1250" required></label>
<label>Tip <input name="tip" type="number" min="0"></label>
<label>Currency <input name="currency" pattern="[A-Z]{3}" placeholder="the location's"></label>
<label>Customer
<select name="customerId"><option value="">none</option>${customers}</select></label>
<label>Buyer's e-mail <input name="buyerEmail" type="email"></label>
<label>Capture
<select name="capture"><option>at-once</option><option>later</option></select></label>
<button>Ring the sale</button>
</form>`;
}

function paymentRow(payment: Payment): Html {
  const button = (action: string, label: string) =>
    html`<form method="post" action="/payments/${payment.id}/${action}"><button>${label}</button>
</form>`;
  const buttons: Html[] = [];
  if (payment.status === 'APPROVED') {
    buttons.push(button('capture', 'Capture'), button('cancel', 'Cancel'));
  }
  if (payment.status === 'COMPLETED' && refundable(payment) > 0) {
    buttons.push(button('refund', 'Refund'));
  }
  const { amount, currency } = payment.total_money;
  return html`<tr><td>${payment.id}</td><td>${payment.status}</td><td>${amount} ${currency}</td>
<td>${payment.refunded_money?.amount}</td><td>${buttons}</td></tr>`;
}

function deliveryRow(entry: DeliveryEntry): Html {
  return html`<tr><td>${entry.at}</td><td>${entry.type}</td><td>${entry.objectId}</td>
<td>${entry.attempt}</td>
<td>${entry.outcome} ${entry.status} ${entry.answer ?? entry.note}</td></tr>`;
}

function refundable(payment: Payment): number {
  return payment.total_money.amount - (payment.refunded_money?.amount ?? 0);
}
