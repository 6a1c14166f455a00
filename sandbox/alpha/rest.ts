import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Faults } from './faults.ts';
import type { Token } from './model.ts';
import { listPayments } from './payment-list.ts';
import { ApiError } from './refusal.ts';
import { merchantOf, type World } from './world.ts';

type Scope = 'MERCHANT_PROFILE_READ' | 'PAYMENTS_READ' | 'CUSTOMERS_READ';

/** The provider's REST API under /v2, each route for the merchant of its bearer token. */
export function createRest(world: World): Router {
  const { store } = world;
  const router = new Router({ prefix: '/v2' });

  router.get('/payments', (ctx) => {
    const merchant = merchantOf(world, authorize(world, ctx, 'PAYMENTS_READ').merchantId);
    const owned = [...store.payments.values()].filter((item) => item.merchantId === merchant.id);
    const payments = owned.map(({ value }) => value);
    const context = { mainLocationId: merchant.mainLocationId, now: world.now() };
    ctx.body = listPayments(payments, new URLSearchParams(ctx.querystring), context);
  });

  router.get('/payments/:id', (ctx) => {
    const { merchantId } = authorize(world, ctx, 'PAYMENTS_READ');
    const payment = store.payments.get(ctx.params.id ?? '');
    if (payment?.merchantId !== merchantId) throw notFound('payment', ctx.params.id);
    ctx.body = { payment: payment.value };
  });

  router.get('/customers/:id', (ctx) => {
    const { merchantId } = authorize(world, ctx, 'CUSTOMERS_READ');
    const customer = store.customer(ctx.params.id ?? '');
    if (customer?.merchantId !== merchantId) throw notFound('customer', ctx.params.id);
    ctx.body = { customer: customer.value };
  });

  router.get('/locations', (ctx) => {
    const { merchantId } = authorize(world, ctx, 'MERCHANT_PROFILE_READ');
    const all = [...store.locations.values()];
    ctx.body = { locations: all.filter((location) => location.merchant_id === merchantId) };
  });

  return router;
}

/** Notes every API request in the journal, lets ordered failures happen, and words every error. */
export function answerAsProvider(world: World, faults: Faults): Middleware {
  return async (ctx, next) => {
    try {
      const failure = faults.take(ctx.path);
      if (failure) throw failure;
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        throw new ApiError(404, 'NOT_FOUND', `There is no ${ctx.method} ${ctx.path}.`);
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      ctx.status = error.status;
      ctx.body = error.toEnvelope();
      const seconds = error.retryAfterSeconds;
      if (seconds !== undefined) ctx.set('Retry-After', String(seconds));
    } finally {
      const { method, url, status } = ctx;
      world.journal.add({ kind: 'request', at: world.now().toISOString(), method, url, status });
    }
  };
}

/** The token of the request; throws 401 when it opens nothing, 403 when it lacks the scope. */
function authorize(world: World, ctx: Context, scope: Scope): Token {
  const [, accessToken] = /^Bearer (\S+)$/i.exec(ctx.get('Authorization')) ?? [];
  const token = accessToken === undefined ? undefined : world.store.tokens.get(accessToken);
  if (token === undefined) {
    throw new ApiError(401, 'UNAUTHORIZED', 'This request could not be authorized.');
  }
  if (token.revoked) throw new ApiError(401, 'ACCESS_TOKEN_REVOKED', 'The token was revoked.');
  if (Date.parse(token.expiresAt) <= world.now().getTime()) {
    throw new ApiError(401, 'ACCESS_TOKEN_EXPIRED', 'The token has expired.');
  }
  if (!token.scopes.includes(scope)) {
    throw new ApiError(403, 'INSUFFICIENT_SCOPES', `The token lacks ${scope}.`);
  }
  return token;
}

function notFound(kind: string, id: string | undefined): ApiError {
  return new ApiError(404, 'NOT_FOUND', `Could not find ${kind} with id: ${id}`);
}
