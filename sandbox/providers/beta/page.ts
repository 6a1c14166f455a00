import Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { html, sendPage, table } from '../../html.ts';
import { withMinorUnits } from '../shared/amounts.ts';
import { Chaos } from '../shared/chaos.ts';
import { parseConsentChoice } from '../shared/consent.ts';
import { addForms, type Fields, type FormActions } from '../shared/page-forms.ts';
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
import { merchantCells, paymentCells } from './page-rows.ts';
import { currencyOf, merchantOf, paymentOf, type World } from './world.ts';

const NUMERIC_FIELDS = ['offlineMinutes'];
const AMOUNTS = ['amount', 'tip', 'tax'];

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
      const { merchantId, currency } = withMerchant(world, Place.parse(form));
      const own = merchantOf(world, merchantId).currency;
      const command = SaleCommand.parse({
        ...withMinorUnits(form, AMOUNTS, currency ?? own),
        ...(withoutOrder !== undefined && { withoutOrder: true }),
      });
      const { id } = simulator.ring({ ...command, merchantId });
      return world.outcomeUrl?.(id);
    },
    '/payments/:id/settle': (id, form) => simulator.settle(id, SettleCommand.parse(form).result),
    '/payments/:id/tip': (id, form) =>
      simulator.setTip(id, TipCommand.parse(inCurrencyOf(world, id, form)).amount),
    '/payments/:id/refund': (id, form) =>
      simulator.refund(id, RefundCommand.parse(inCurrencyOf(world, id, form)).amount),
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

const Place = z.object({
  merchantId: z.string().exactOptional(),
  currency: z.string().exactOptional(),
});

function inCurrencyOf(world: World, paymentId: string, form: Fields): Fields {
  return withMinorUnits(form, AMOUNTS, currencyOf(world, paymentOf(world, paymentId)));
}

function showPage(ctx: Context, world: World, simulator: BetaSimulator): void {
  const { store } = world;
  sendPage(
    ctx,
    'Simulated provider beta',
    html`<h2>Ring a sale</h2>
${saleForm(world)}
<h2>Payments</h2>
${table(
  ['Payment', 'Customer', 'Result', 'Amount', 'Tip', 'Left', 'Change it'],
  newest(store.payments.values()).map((payment) => paymentCells(world, payment)),
)}
${deliveryTable(world.journal, 'Updates')}
<h2>Merchants</h2>
${table(
  ['Merchant', 'Name', 'Currency', 'Change it'],
  [...store.merchants.values()].map((merchant) => merchantCells(merchant, simulator)),
)}
${accountForms(world)}
${faultForms()}`,
  );
}
