import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { RestFaults } from '../shared/rest-faults.ts';
import { authorize } from './bearer.ts';
import type { ScheduledFault } from './commands.ts';
import { listPayments } from './payment-list.ts';
import { AlphaError } from './refusal.ts';
import { merchantOf, type World } from './world.ts';

/** The provider's REST API under /v2, for the merchant of the bearer token. */
export function createRest(world: World): Router {
  const { store } = world;
  const router = new Router({ prefix: '/v2' });

  router.get('/payments', (ctx) => {
    const merchant = merchantOf(world, authorize(world, ctx, 'PAYMENTS_READ').merchantId);
    const now = world.now();
    const payments = [...store.payments.values()].flatMap((owned) => {
      if (owned.merchantId !== merchant.id) return [];
      return world.visibility.shown(owned.value, now) ?? [];
    });
    const context = { mainLocationId: merchant.mainLocationId, now };
    ctx.body = listPayments(payments, new URLSearchParams(ctx.querystring), context);
  });

  router.get('/payments/:id', (ctx) => {
    const { merchantId } = authorize(world, ctx, 'PAYMENTS_READ');
    const owned = store.payments.get(ctx.params.id ?? '');
    if (owned?.merchantId !== merchantId) throw notFound('payment', ctx.params.id);
    const payment = owned.value;
    const fresh = { id: payment.id, createdMs: Date.parse(payment.created_at) };
    if (world.restChaos.hides(fresh, world.now().getTime())) {
      throw notFound('payment', ctx.params.id);
    }
    ctx.body = { payment };
  });

  router.get('/refunds/:id', (ctx) => {
    const { merchantId } = authorize(world, ctx, 'PAYMENTS_READ');
    const refund = store.refunds.get(ctx.params.id ?? '');
    const payment = store.payments.get(refund?.payment_id ?? '');
    if (refund === undefined || payment?.merchantId !== merchantId) {
      throw notFound('refund', ctx.params.id);
    }
    ctx.body = { refund };
  });

  router.get('/customers/:id', (ctx) => {
    const { merchantId } = authorize(world, ctx, 'CUSTOMERS_READ');
    const customer = store.customer(ctx.params.id ?? '');
    if (customer?.merchantId !== merchantId) throw notFound('customer', ctx.params.id);
    ctx.body = { customer: customer.value };
  });

  router.get('/merchants/:id', (ctx) => {
    const { merchantId } = authorize(world, ctx, 'MERCHANT_PROFILE_READ');
    const { id, name, currency, mainLocationId } = merchantOf(world, merchantId);
    if (ctx.params.id !== 'me' && ctx.params.id !== id) throw notFound('merchant', ctx.params.id);
    const country = store.locations.get(mainLocationId)?.country;
    ctx.body = {
      merchant: {
        id,
        business_name: name,
        country,
        language_code: 'en-US',
        currency,
        status: 'ACTIVE',
        main_location_id: mainLocationId,
      },
    };
  });

  router.get('/locations', (ctx) => {
    const { merchantId } = authorize(world, ctx, 'MERCHANT_PROFILE_READ');
    const all = [...store.locations.values()];
    ctx.body = { locations: all.filter((location) => location.merchant_id === merchantId) };
  });

  return router;
}

/** Adds every API request to the journal, lets faults happen, and renders errors. */
export function answerAsProvider(world: World, faults: RestFaults<ScheduledFault>): Middleware {
  return async (ctx, next) => {
    try {
      const fault = faults.take(ctx.path);
      if (fault !== undefined) throw errorOf(fault);
      const refusal = world.restChaos.refusal(ctx.method, ctx.path);
      if (refusal !== undefined) throw refusal;
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        throw new AlphaError(404, 'NOT_FOUND', `There is no ${ctx.method} ${ctx.path}.`);
      }
    } catch (error) {
      if (!(error instanceof AlphaError)) throw error;
      const isMessage = ctx.path.startsWith('/oauth2/') && world.app.errorShape === 'message';
      ctx.status = error.status;
      ctx.body = isMessage ? error.toMessage() : error.toEnvelope();
      const seconds = error.retryAfterSeconds;
      if (seconds !== undefined) ctx.set('Retry-After', String(seconds));
    } finally {
      const { method, url, status } = ctx;
      world.journal.add({ kind: 'request', at: world.now().toISOString(), method, url, status });
    }
  };
}

function errorOf({ status, code, retryAfterSeconds }: ScheduledFault): AlphaError {
  return new AlphaError(status, code, 'This fault was scheduled.', { retryAfterSeconds });
}

function notFound(kind: string, id: string | undefined): AlphaError {
  return new AlphaError(404, 'NOT_FOUND', `Could not find ${kind} with id: ${id}`);
}
