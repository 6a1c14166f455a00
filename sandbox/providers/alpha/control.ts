import Router from '@koa/router';
import bodyParser from 'koa-bodyparser';
import { z } from 'zod';
import { Chaos } from '../shared/chaos.ts';
import { Consent } from '../shared/consent.ts';
import { addCustomer, addLocation, addMerchant, mergeCustomers } from './accounts.ts';
import { OAuthErrorShape } from './app.ts';
import {
  AmountCommand,
  CustomerCommand,
  LocationCommand,
  MerchantCommand,
  RestFaultCommand,
  ringSale,
  SaleCommand,
} from './commands.ts';
import type { Controls } from './controls.ts';
import { revokeTokens } from './grants.ts';
import { attachCustomer, cancel, capture, decline, refund, setTip } from './payment-lifecycle.ts';
import { WebhookFault } from './webhook-faults.ts';
import { merchantOf, merchantOrFirst, type World } from './world.ts';

/** The simulator's JSON controls under /_sim, for people and tests. */
export function createControl(controls: Controls): Router {
  const router = new Router({ prefix: '/_sim' });
  router.use(bodyParser({ enableTypes: ['json'] }));
  addAccountRoutes(router, controls.world);
  addPaymentRoutes(router, controls.world);
  addFaultRoutes(router, controls);
  router.get('/journal', (ctx) => {
    ctx.body = controls.world.journal.entries();
  });
  return router;
}

function addAccountRoutes(router: Router, world: World): void {
  const { store } = world;
  router.get('/merchants', (ctx) => {
    ctx.body = [...store.merchants.values()].map((merchant) => ({
      ...merchant,
      locations: [...store.locations.values()].filter((it) => it.merchant_id === merchant.id),
      customers: [...store.customers.values()]
        .filter((owned) => owned.merchantId === merchant.id)
        .map(({ value }) => value),
    }));
  });
  router.post('/merchants', (ctx) => {
    ctx.status = 201;
    ctx.body = addMerchant(world, MerchantCommand.parse(ctx.request.body));
  });
  router.post('/merchants/:id/locations', (ctx) => {
    ctx.status = 201;
    ctx.body = addLocation(world, ctx.params.id ?? '', LocationCommand.parse(ctx.request.body));
  });
  router.post('/merchants/:id/revoke', (ctx) => {
    revokeTokens(world, merchantOf(world, ctx.params.id ?? '').id);
    ctx.body = { ok: true };
  });
  router.post('/customers', (ctx) => {
    const command = CustomerCommand.parse(ctx.request.body);
    const merchantId = merchantOrFirst(world, command.merchantId).id;
    ctx.status = 201;
    ctx.body = addCustomer(world, { ...command, merchantId });
  });
  router.post('/customers/:id/merge', (ctx) => {
    const { into } = z.object({ into: z.string() }).parse(ctx.request.body);
    mergeCustomers(world, ctx.params.id ?? '', into);
    ctx.body = { ok: true };
  });
}

function addPaymentRoutes(router: Router, world: World): void {
  router.post('/sales', (ctx) => {
    ctx.status = 201;
    ctx.body = ringSale(world, SaleCommand.parse(ctx.request.body));
  });
  for (const [name, act] of Object.entries({ capture, cancel, decline })) {
    router.post(`/payments/:id/${name}`, (ctx) => {
      ctx.body = act(world, ctx.params.id ?? '');
    });
  }
  router.post('/payments/:id/tip', (ctx) => {
    ctx.body = setTip(world, ctx.params.id ?? '', AmountCommand.parse(ctx.request.body).amount);
  });
  router.post('/payments/:id/refunds', (ctx) => {
    const command = AmountCommand.parse(ctx.request.body);
    ctx.status = 201;
    ctx.body = refund(world, ctx.params.id ?? '', command.amount);
  });
  router.post('/payments/:id/customer', (ctx) => {
    const { customerId } = z.object({ customerId: z.string() }).parse(ctx.request.body);
    ctx.body = attachCustomer(world, ctx.params.id ?? '', customerId);
  });
}

function addFaultRoutes(router: Router, controls: Controls): void {
  const { world, deliveries, restFaults, webhookFaults, dial } = controls;
  router.post('/events/:id/redeliver', (ctx) => {
    deliveries.redeliver(ctx.params.id ?? '');
    ctx.status = 202;
    ctx.body = { ok: true };
  });
  const commands: Record<string, (body: unknown) => void> = {
    '/failures': (body) => restFaults.schedule(RestFaultCommand.parse(body)),
    '/delivery-faults': (body) => webhookFaults.schedule(WebhookFault.parse(body)),
    '/chaos': (body) => dial.set(Chaos.parse(body)),
    '/consent': (body) => {
      world.app.consent = Consent.parse(body);
    },
    '/oauth-errors': (body) => {
      world.app.errorShape = z.object({ shape: OAuthErrorShape }).parse(body).shape;
    },
  };
  for (const [path, run] of Object.entries(commands)) {
    router.post(path, (ctx) => {
      run(ctx.request.body);
      ctx.status = 201;
      ctx.body = { ok: true };
    });
  }
  router.get('/chaos', (ctx) => {
    ctx.body = dial.get();
  });
}
