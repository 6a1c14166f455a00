import Router from '@koa/router';
import type { Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import { z } from 'zod';
import type { Deliveries } from './deliveries.ts';
import { Failure, type Faults } from './faults.ts';
import { StoryRefusal } from './refusal.ts';
import { attachCustomer, cancel, capture, refund, ring } from './story.ts';
import type { World } from './world.ts';

const amount = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A sale as one orders it over HTTP: the first merchant and its main location by default. */
export const SaleOrder = z.object({
  merchantId: z.string().optional(),
  locationId: z.string().optional(),
  amount,
  tip: amount.optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  customerId: z.string().optional(),
  buyerEmail: z.string().max(255).optional(),
  capture: z.enum(['at-once', 'later']).default('at-once'),
});

/** Rings an ordered sale. */
export function ringOrder(world: World, order: z.output<typeof SaleOrder>) {
  const merchantId = order.merchantId ?? [...world.store.merchants.keys()][0];
  if (merchantId === undefined) throw new StoryRefusal('There is no merchant to sell anything.');
  return ring(world, { ...order, merchantId });
}

/** The steering of the simulator under /_sim, in JSON: what a person or a test may make happen. */
export function createControl(world: World, faults: Faults, deliveries: Deliveries): Router {
  const { store } = world;
  const router = new Router({ prefix: '/_sim' });
  router.use(bodyParser({ enableTypes: ['json'] }));

  router.get('/merchants', (ctx) => {
    ctx.body = [...store.merchants.values()].map((merchant) => ({
      ...merchant,
      locations: [...store.locations.values()].filter((it) => it.merchant_id === merchant.id),
      customers: [...store.customers.values()]
        .filter((owned) => owned.merchantId === merchant.id)
        .map(({ value }) => value),
    }));
  });

  router.post('/sales', (ctx) => {
    ctx.status = 201;
    ctx.body = ringOrder(world, SaleOrder.parse(ctx.request.body));
  });
  router.post('/payments/:id/capture', (ctx) => {
    ctx.body = capture(world, ctx.params.id ?? '');
  });
  router.post('/payments/:id/cancel', (ctx) => {
    ctx.body = cancel(world, ctx.params.id ?? '');
  });
  router.post('/payments/:id/refunds', (ctx) => {
    const order = z.object({ amount }).parse(ctx.request.body);
    ctx.status = 201;
    ctx.body = refund(world, ctx.params.id ?? '', order.amount);
  });
  router.post('/payments/:id/customer', (ctx) => {
    const { customerId } = z.object({ customerId: z.string() }).parse(ctx.request.body);
    ctx.body = attachCustomer(world, ctx.params.id ?? '', customerId);
  });

  router.post('/events/:id/redeliver', (ctx) => {
    deliveries.redeliver(ctx.params.id ?? '');
    ctx.status = 202;
    ctx.body = { ok: true };
  });
  router.post('/failures', (ctx) => {
    faults.order(Failure.parse(ctx.request.body));
    ctx.status = 201;
    ctx.body = { ok: true };
  });
  router.get('/journal', (ctx) => {
    ctx.body = world.journal.entries();
  });
  return router;
}

/** Words what is wrong with an order as `{error}`, and lets no other site's page give orders. */
export const answerOrders: Middleware = async (ctx, next) => {
  const origin = ctx.get('Origin');
  if (ctx.method !== 'GET' && origin !== '' && origin !== `${ctx.protocol}://${ctx.host}`) {
    ctx.throw(403, 'Orders come from this address only.');
  }
  try {
    await next();
  } catch (error) {
    if (error instanceof z.ZodError) ctx.body = { error: z.prettifyError(error) };
    else if (error instanceof StoryRefusal) ctx.body = { error: error.message };
    else throw error;
    ctx.status = 400;
  }
};
