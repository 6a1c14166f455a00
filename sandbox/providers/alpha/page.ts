import Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { html, sendPage, table } from '../../html.ts';
import { withMinorUnits } from '../shared/amounts.ts';
import { Chaos } from '../shared/chaos.ts';
import { parseConsentChoice } from '../shared/consent.ts';
import { addForms, type Fields, type FormActions } from '../shared/page-forms.ts';
import { deliveryTable, newest } from '../shared/page-rows.ts';
import { CommandRefused } from '../shared/refusal.ts';
import { addCustomer, addLocation, addMerchant } from './accounts.ts';
import {
  AmountCommand,
  CustomerCommand,
  LocationCommand,
  MerchantCommand,
  ringSale,
  SaleCommand,
} from './commands.ts';
import type { Controls } from './controls.ts';
import { revokeTokens } from './grants.ts';
import { accountForms, faultForms, saleForm } from './page-forms.ts';
import { merchantCells, paymentCells, refundable } from './page-rows.ts';
import { attachCustomer, cancel, capture, decline, refund, setTip } from './payment-lifecycle.ts';
import { WebhookFault } from './webhook-faults.ts';
import { locationOf, merchantOf, merchantOrFirst, type World } from './world.ts';

const NUMERIC_FIELDS = ['takenOfflineMinutesAgo', 'times'];
const AMOUNTS = ['amount', 'tip'];

/** The page that controls the simulator and shows the webhooks it sent. */
export function createPage(controls: Controls): Router {
  const router = new Router();
  router.get('/', (ctx) => showPage(ctx, controls));
  addForms(router, actions(controls), NUMERIC_FIELDS);
  return router;
}

function actions(controls: Controls): FormActions {
  const { world, webhookFaults, dial } = controls;
  return {
    '/sales': (_, form) => {
      const inMinorUnits = withMinorUnits(form, AMOUNTS, currencyOfSale(world, form));
      const { id } = ringSale(world, SaleCommand.parse(inMinorUnits));
      return world.outcomeUrl?.(id);
    },
    '/payments/:id/capture': (id) => capture(world, id),
    '/payments/:id/cancel': (id) => cancel(world, id),
    '/payments/:id/decline': (id) => decline(world, id),
    '/payments/:id/tip': (id, form) => {
      const { amount } = AmountCommand.parse(inCurrencyOf(world, id, form));
      setTip(world, id, amount);
    },
    '/payments/:id/refund': (id, form) => {
      const { amount } = AmountCommand.partial().parse(inCurrencyOf(world, id, form));
      refund(world, id, amount ?? remaining(world, id));
    },
    '/payments/:id/customer': (id, form) => {
      const { customerId } = z.object({ customerId: z.string() }).parse(form);
      attachCustomer(world, id, customerId);
    },
    '/merchants': (_, form) => addMerchant(world, MerchantCommand.parse(form)),
    '/merchants/:id/revoke': (id) => revokeTokens(world, merchantOf(world, id).id),
    '/locations': (_, form) => {
      const { merchantId } = z.object({ merchantId: z.string() }).parse(form);
      addLocation(world, merchantId, LocationCommand.parse(form));
    },
    '/customers': (_, form) => {
      const command = CustomerCommand.parse(form);
      addCustomer(world, { ...command, merchantId: merchantOrFirst(world, command.merchantId).id });
    },
    '/chaos': (_, form) => dial.set(Chaos.parse(form)),
    '/delivery-faults': (_, form) => webhookFaults.schedule(WebhookFault.parse(form)),
    '/consent': (_, form) => {
      world.app.consent = parseConsentChoice(form);
    },
  };
}

const Place = z.object({
  merchantId: z.string().optional(),
  locationId: z.string().optional(),
  currency: z.string().optional(),
});

function currencyOfSale(world: World, form: Fields): string {
  const { merchantId, locationId, currency } = Place.parse(form);
  return currency ?? locationOf(world, merchantOrFirst(world, merchantId), locationId).currency;
}

function inCurrencyOf(world: World, paymentId: string, form: Fields): Fields {
  const payment = world.store.payments.get(paymentId)?.value;
  if (payment === undefined) throw new CommandRefused(`There is no payment ${paymentId}.`);
  return withMinorUnits(form, AMOUNTS, payment.total_money.currency);
}

function remaining(world: World, paymentId: string): number {
  const payment = world.store.payments.get(paymentId)?.value;
  return payment === undefined ? 0 : refundable(payment);
}

function showPage(ctx: Context, controls: Controls): void {
  const { world, dial } = controls;
  const payments = newest(world.store.payments.values());
  const merchants = [...world.store.merchants.values()];
  sendPage(
    ctx,
    'Simulated provider alpha',
    html`<h2>Ring a sale</h2>
${saleForm(world)}
<h2>Payments</h2>
${table(
  ['Payment', 'Customer', 'Status', 'Amount', 'Refunded', 'Change it'],
  payments.map(({ value }) => paymentCells(world, value)),
)}
${deliveryTable(world.journal, 'Event')}
<h2>Merchants</h2>
${table(
  ['Merchant', 'Name', 'Locations', 'Change it'],
  merchants.map((merchant) => merchantCells(world, merchant)),
)}
${accountForms(world)}
${faultForms(world.app, dial.get())}`,
  );
}
