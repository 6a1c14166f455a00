import Router from '@koa/router';
import type { Context } from 'koa';
import { html, sendPage } from '../../html.ts';
import { Chaos } from '../shared/chaos.ts';
import { parseConsentChoice } from '../shared/consent.ts';
import { addForms, type FormActions } from '../shared/page-forms.ts';
import { deliveryTable, newest } from '../shared/page-rows.ts';
import {
  AttachCommand,
  CustomerCommand,
  MerchantCommand,
  RefundCommand,
  SaleCommand,
  SettleCommand,
  TipCommand,
  withMerchant,
} from './commands.ts';
import type { BetaSimulator } from './handle.ts';
import { accountForms, faultForms, saleForm } from './page-forms.ts';
import { merchantRow, paymentRow } from './page-rows.ts';
import type { World } from './world.ts';

const NUMERIC_FIELDS = ['amount', 'tip', 'tax', 'offlineMinutes'];

/** The page that controls the simulator and shows the webhooks it sent. */
export function createPage(world: World, simulator: BetaSimulator): Router {
  const router = new Router();
  router.get('/', (ctx) => showPage(ctx, world, simulator));
  addForms(router, actions(world, simulator), NUMERIC_FIELDS);
  return router;
}

function actions(world: World, simulator: BetaSimulator): FormActions {
  return {
    '/sales': (_, { withoutOrder, ...form }) => {
      const command = { ...form, ...(withoutOrder !== undefined && { withoutOrder: true }) };
      simulator.ring(withMerchant(world, SaleCommand.parse(command)));
    },
    '/payments/:id/settle': (id, form) => simulator.settle(id, SettleCommand.parse(form).result),
    '/payments/:id/tip': (id, form) => simulator.setTip(id, TipCommand.parse(form).amount),
    '/payments/:id/refund': (id, form) => simulator.refund(id, RefundCommand.parse(form).amount),
    '/payments/:id/void': (id) => simulator.voidPayment(id),
    '/orders/:id/customers': (id, form) =>
      simulator.attachCustomer(id, AttachCommand.parse(form).customerId),
    '/merchants': (_, form) => simulator.addMerchant(MerchantCommand.parse(form)),
    '/merchants/:id/uninstall': (id) => simulator.uninstall(id),
    '/customers': (_, { email, phone, ...form }) => {
      const contacts = {
        ...(email !== undefined && { emails: [email] }),
        ...(phone !== undefined && { phones: [phone] }),
      };
      simulator.addCustomer(withMerchant(world, CustomerCommand.parse({ ...form, ...contacts })));
    },
    '/verifications': () => simulator.sendVerification(),
    '/chaos': (_, form) => simulator.setChaos(Chaos.parse(form)),
    '/consent': (_, form) => simulator.setConsent(parseConsentChoice(form).mode),
  };
}

function showPage(ctx: Context, world: World, simulator: BetaSimulator): void {
  const { store } = world;
  sendPage(
    ctx,
    'Simulated provider beta',
    html`${saleForm(world)}
<h2>Payments</h2>
<table><tr><th>Payment</th><th>Result</th><th>Amount</th><th>Tip</th><th>Left</th><th></th></tr>
${newest(store.payments.values()).map((payment) => paymentRow(world, payment))}</table>
${deliveryTable(world.journal, 'Updates')}
<h2>Merchants</h2>
<table><tr><th>Merchant</th><th>Name</th><th>Currency</th><th></th></tr>
${[...store.merchants.values()].map((merchant) => merchantRow(merchant, simulator))}</table>
${accountForms(world)}
${faultForms()}`,
  );
}
