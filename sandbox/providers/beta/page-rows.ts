import { money } from '../../../domain/texts/wording.ts';
import { type Html, html } from '../../html.ts';
import { wholeName } from '../shared/page-forms.ts';
import { button, customerForm, outcomeLink, refundForm, tipForm } from '../shared/page-rows.ts';
import type { BetaSimulator } from './handle.ts';
import type { Merchant, Payment } from './model.ts';
import { currencyOf, isPending, refundable, type World } from './world.ts';

/** The cells of a payment, with buttons for its possible changes. */
export function paymentCells(world: World, payment: Payment) {
  const { id, orderId, result, amount, tipAmount, refunds } = payment;
  const order = orderId === undefined ? undefined : world.store.orders.get(orderId);
  const customer = world.store.customers.get(order?.customerIds[0] ?? '');
  const currency = currencyOf(world, payment);
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
  return [
    html`${id}${outcomeLink(world.outcomeUrl?.(id))}`,
    customer && wholeName([customer.firstName, customer.lastName]),
    result,
    money(amount, { currency }),
    tipAmount === 0 ? undefined : money(tipAmount, { currency }),
    money(left, { currency }),
    buttons,
  ];
}

/** The cells of a merchant, with its market link to the app and the button that uninstalls it. */
export function merchantCells({ id, name, currency }: Merchant, simulator: BetaSimulator) {
  const actions = html`<a href="${simulator.marketLaunchUrl(id)}">Open the app in the market</a>
${button(`/merchants/${id}/uninstall`, 'Uninstall')}`;
  return [id, name, currency, actions];
}
