import Router from '@koa/router';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { z } from 'zod';
import { html, sendPage } from '../../html.ts';
import { Consent } from '../alpha/app.ts';
import { deliveryRow } from '../alpha/page-rows.ts';
import { CHAOS_FAULTS, Chaos } from '../shared/chaos.ts';
import {
  AttachCommand,
  CustomerCommand,
  MerchantCommand,
  ofMerchant,
  RefundCommand,
  SaleCommand,
  SettleCommand,
  TipCommand,
} from './commands.ts';
import { accountForms, saleForm, troubleForms } from './page-forms.ts';
import { merchantRow, paymentRow } from './page-rows.ts';
import type { BetaSimulator } from './simulator.ts';
import type { World } from './world.ts';

const SHOWN_ROWS = 25;
const SLOW_MS = 5000;
/** A form has only text: these of its fields are numbers, and so are all of the dial's. */
const NUMBERS = new Set<string>(['amount', 'tip', 'tax', 'offlineMinutes', ...CHAOS_FAULTS]);

/** The page to play with: makes everything happen that may, and shows what was sent. */
export function createPage(world: World, simulator: BetaSimulator): Router {
  const router = new Router();
  router.get('/', (ctx) => showPage(ctx, world, simulator));
  const form = bodyParser({ enableTypes: ['form'] });
  for (const [path, act] of Object.entries(actions(world, simulator))) {
    router.post(path, form, async (ctx) => {
      await act(ctx.params.id ?? '', readForm(ctx.request.body));
      ctx.status = 303;
      ctx.redirect('/');
    });
  }
  return router;
}

type Fields = Record<string, string | number>;

function actions(
  world: World,
  simulator: BetaSimulator,
): Record<string, (id: string, form: Fields) => unknown> {
  return {
    '/sales': (_, { withoutOrder, ...form }) => {
      const order = { ...form, ...(withoutOrder !== undefined && { withoutOrder: true }) };
      simulator.ring(ofMerchant(world, SaleCommand.parse(order)));
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
      simulator.addCustomer(ofMerchant(world, CustomerCommand.parse({ ...form, ...contacts })));
    },
    '/verifications': () => simulator.sendVerification(),
    '/chaos': (_, form) => simulator.setChaos(Chaos.parse(form)),
    '/consent': (_, { mode }) => {
      const wish = Consent.parse({ mode: mode === 'slow' ? { slowMs: SLOW_MS } : mode });
      simulator.setConsent(wish.mode);
    },
  };
}

/** The fields of a form that say something: an empty one means that nothing was said. */
function readForm(body: unknown): Fields {
  const fields = z.record(z.string(), z.string()).parse(body);
  const said = Object.entries(fields).filter(([, value]) => value.trim() !== '');
  return Object.fromEntries(
    said.map(([name, value]) => [name, NUMBERS.has(name) ? Number(value) : value.trim()]),
  );
}

function showPage(ctx: Context, world: World, simulator: BetaSimulator): void {
  const { store } = world;
  const payments = [...store.payments.values()].slice(-SHOWN_ROWS).toReversed();
  const deliveries = world.journal
    .entries()
    .filter((entry) => entry.kind === 'delivery')
    .slice(-SHOWN_ROWS)
    .toReversed();
  sendPage(
    ctx,
    'Simulated provider beta',
    html`${saleForm(world)}
<h2>Payments</h2>
<table><tr><th>Payment</th><th>Result</th><th>Amount</th><th>Tip</th><th>Left</th><th></th></tr>
${payments.map((payment) => paymentRow(world, payment))}</table>
<h2>Webhooks sent</h2>
<p>Newest first. <a href="/">Reload</a> · <a href="/_sim/journal">Whole journal as JSON</a></p>
<table><tr><th>At</th><th>Updates</th><th>Of</th><th>Attempt</th><th>Answer</th></tr>
${deliveries.map(deliveryRow)}</table>
<h2>Merchants</h2>
<table><tr><th>Merchant</th><th>Name</th><th>Currency</th><th></th></tr>
${[...store.merchants.values()].map((merchant) => merchantRow(merchant, simulator))}</table>
${accountForms(world)}
${troubleForms()}`,
  );
}
