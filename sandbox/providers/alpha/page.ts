import Router from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { html, sendPage } from '../../html.ts';
import { Chaos } from '../shared/chaos.ts';
import { parseConsentChoice } from '../shared/consent.ts';
import { addForms, type FormActions } from '../shared/page-forms.ts';
import { deliveryTable, newest } from '../shared/page-rows.ts';
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
import { merchantRow, paymentRow, refundable } from './page-rows.ts';
import { attachCustomer, cancel, capture, decline, refund, setTip } from './payment-lifecycle.ts';
import { WebhookFault } from './webhook-faults.ts';
import { merchantOf, merchantOrFirst, type World } from './world.ts';

const NUMERIC_FIELDS = ['amount', 'tip', 'takenOfflineMinutesAgo', 'times'];

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
    '/sales': (_, form) => ringSale(world, SaleCommand.parse(form)),
    '/payments/:id/capture': (id) => capture(world, id),
    '/payments/:id/cancel': (id) => cancel(world, id),
    '/payments/:id/decline': (id) => decline(world, id),
    '/payments/:id/tip': (id, form) => setTip(world, id, AmountCommand.parse(form).amount),
    '/payments/:id/refund': (id, form) => {
      const amount = AmountCommand.partial().parse(form).amount ?? remaining(world, id);
      refund(world, id, amount);
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

function remaining(world: World, paymentId: string): number {
  const payment = world.store.payments.get(paymentId)?.value;
  return payment === undefined ? 0 : refundable(payment);
}

function showPage(ctx: Context, controls: Controls): void {
  const { world, dial } = controls;
  sendPage(
    ctx,
    'Simulated provider alpha',
    html`${saleForm(world)}
<h2>Payments</h2>
<table><tr><th>Payment</th><th>Status</th><th>Amount</th><th>Refunded</th><th></th></tr>
${newest(world.store.payments.values()).map(({ value }) => paymentRow(value))}</table>
${deliveryTable(world.journal, 'Event')}
<h2>Merchants</h2>
<table><tr><th>Merchant</th><th>Name</th><th>Locations</th><th></th></tr>
${[...world.store.merchants.values()].map((merchant) => merchantRow(world, merchant))}</table>
${accountForms(world)}
${faultForms(world.app, dial.get())}`,
  );
}
