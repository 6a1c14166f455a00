import Router from '@koa/router';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { z } from 'zod';
import { html, sendPage } from '../../html.ts';
import { CHAOS_FAULTS, Chaos } from '../shared/chaos.ts';
import { addCustomer, addLocation, addMerchant } from './accounts.ts';
import { Consent } from './app.ts';
import {
  AmountCommand,
  CustomerCommand,
  LocationCommand,
  MerchantCommand,
  ringCommand,
  SaleCommand,
} from './commands.ts';
import type { Controls } from './controls.ts';
import { revokeTokens } from './grants.ts';
import { accountForms, saleForm, troubleForms } from './page-forms.ts';
import { deliveryRow, merchantRow, paymentRow, refundable } from './page-rows.ts';
import { attachCustomer, cancel, capture, decline, refund, setTip } from './payment-lifecycle.ts';
import { DeliveryFault } from './webhook-faults.ts';
import { merchantOf, merchantOrFirst, type World } from './world.ts';

const SHOWN_ROWS = 25;
const SLOW_MS = 5000;
/** A form has only text: these of its fields are numbers, and so are all of the dial's. */
const NUMBERS = new Set<string>([
  'amount',
  'tip',
  'takenOfflineMinutesAgo',
  'times',
  ...CHAOS_FAULTS,
]);

/** The page to play with: makes everything happen that may, and shows what was sent. */
export function createPage(steering: Controls): Router {
  const router = new Router();
  router.get('/', (ctx) => showPage(ctx, steering));
  const form = bodyParser({ enableTypes: ['form'] });
  for (const [path, act] of Object.entries(actions(steering))) {
    router.post(path, form, (ctx) => {
      act(ctx.params.id ?? '', readForm(ctx.request.body));
      ctx.status = 303;
      ctx.redirect('/');
    });
  }
  return router;
}

function actions(steering: Controls): Record<string, (id: string, form: unknown) => void> {
  const { world, disturbances, dial } = steering;
  return {
    '/sales': (_, form) => ringCommand(world, SaleCommand.parse(form)),
    '/payments/:id/capture': (id) => capture(world, id),
    '/payments/:id/cancel': (id) => cancel(world, id),
    '/payments/:id/decline': (id) => decline(world, id),
    '/payments/:id/tip': (id, form) => setTip(world, id, AmountCommand.parse(form).amount),
    '/payments/:id/refund': (id, form) => {
      const amount = AmountCommand.partial().parse(form).amount ?? rest(world, id);
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
      const order = CustomerCommand.parse(form);
      addCustomer(world, { ...order, merchantId: merchantOrFirst(world, order.merchantId).id });
    },
    '/chaos': (_, form) => dial.set(Chaos.parse(form)),
    '/delivery-faults': (_, form) => disturbances.order(DeliveryFault.parse(form)),
    '/consent': (_, form) => {
      const { mode } = z.object({ mode: z.string() }).parse(form);
      world.app.consent = Consent.parse({ mode: mode === 'slow' ? { slowMs: SLOW_MS } : mode });
    },
  };
}

/** The fields of a form that say something: an empty one means that nothing was said. */
function readForm(body: unknown): unknown {
  const fields = z.record(z.string(), z.string()).parse(body);
  const said = Object.entries(fields).filter(([, value]) => value.trim() !== '');
  return Object.fromEntries(
    said.map(([name, value]) => [name, NUMBERS.has(name) ? Number(value) : value.trim()]),
  );
}

function rest(world: World, paymentId: string): number {
  const payment = world.store.payments.get(paymentId)?.value;
  return payment === undefined ? 0 : refundable(payment);
}

function showPage(ctx: Context, steering: Controls): void {
  const { world, dial } = steering;
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
${deliveries.map(deliveryRow)}</table>
<h2>Merchants</h2>
<table><tr><th>Merchant</th><th>Name</th><th>Locations</th><th></th></tr>
${[...world.store.merchants.values()].map((merchant) => merchantRow(world, merchant))}</table>
${accountForms(world)}
${troubleForms(world.app, dial.get())}`,
  );
}
