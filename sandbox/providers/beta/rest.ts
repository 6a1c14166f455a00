import Router from '@koa/router';
import type { Context } from 'koa';
import { type Listing, pageOf } from './list.ts';
import type { Customer, Order, Payment, Permission, Token } from './model.ts';
import { BetaError, notFound } from './refusal.ts';
import { customerView, type Expansions, merchantView, orderView, paymentView } from './views.ts';
import type { World } from './world.ts';

const MAX_EXPANSIONS = 3;

/** The provider's REST API under /v3, for the merchant of the bearer token. */
export function createRest(world: World): Router {
  const { store } = world;
  const router = new Router({ prefix: '/v3/merchants/:mId' });

  router.get('/', (ctx) => {
    const { merchantId } = authorize(world, ctx, 'MERCHANT_R');
    const merchant = store.merchants.get(merchantId);
    if (merchant === undefined) throw new BetaError(404);
    ctx.body = merchantView(merchant, expansions(ctx));
  });

  router.get('/payments', (ctx) => {
    const { merchantId } = authorize(world, ctx, 'PAYMENTS_R');
    const page = pageOf(ownedBy(merchantId, store.payments), paymentListing(world, ctx));
    const expand = expansions(ctx);
    answerList(
      ctx,
      PAYMENT_FIELDS,
      page.map((payment) => paymentView(world, payment, expand)),
    );
  });
  router.get('/payments/:id', (ctx) => {
    const { merchantId } = authorize(world, ctx, 'PAYMENTS_R');
    const payment = store.payments.get(ctx.params.id ?? '');
    const expand = expansions(ctx);
    if (payment?.merchantId !== merchantId) throw notFound('Payment');
    const fresh = { id: payment.id, createdMs: payment.createdTime };
    if (world.restChaos.hides(fresh, world.now().getTime())) throw notFound('Payment');
    ctx.body = paymentView(world, payment, expand);
  });

  router.get('/orders', (ctx) => {
    const { merchantId } = authorize(world, ctx, 'ORDERS_R');
    const page = pageOf(ownedBy(merchantId, store.orders), orderListing(world, ctx));
    const expand = expansions(ctx);
    answerList(
      ctx,
      ORDER_FIELDS,
      page.map((order) => orderView(world, order, expand)),
    );
  });
  router.get('/orders/:id', (ctx) => {
    const { merchantId } = authorize(world, ctx, 'ORDERS_R');
    const order = store.orders.get(ctx.params.id ?? '');
    const expand = expansions(ctx);
    if (order?.merchantId !== merchantId) throw notFound('Order');
    ctx.body = orderView(world, order, expand);
  });

  router.get('/customers', (ctx) => {
    const { merchantId, permissions } = authorize(world, ctx, 'CUSTOMERS_R');
    const page = pageOf(ownedBy(merchantId, store.customers), customerListing(world, ctx));
    const expand = expansions(ctx);
    answerList(
      ctx,
      CUSTOMER_FIELDS,
      page.map((it) => customerView(it, expand, permissions)),
    );
  });
  router.get('/customers/:id', (ctx) => {
    const { merchantId, permissions } = authorize(world, ctx, 'CUSTOMERS_R');
    const customer = store.customers.get(ctx.params.id ?? '');
    const expand = expansions(ctx);
    if (customer?.merchantId !== merchantId) throw notFound('Customer');
    ctx.body = customerView(customer, expand, permissions);
  });
  return router;
}

/** Returns the request's bearer token; undefined when there is none. */
export function bearerOf(ctx: Context): string | undefined {
  return /^Bearer (\S+)$/i.exec(ctx.get('Authorization'))?.[1];
}

/** Returns the request's token; throws the same 401 when it is invalid or lacks permission. */
function authorize(world: World, ctx: Context, permission: Permission): Token {
  const token = world.store.tokens.get(bearerOf(ctx) ?? '');
  const isGood = token !== undefined && !token.revoked && token.expiresAt > world.now().getTime();
  if (!isGood || token.merchantId !== ctx.params.mId || !token.permissions.includes(permission)) {
    throw new BetaError(401);
  }
  return token;
}

function expansions(ctx: Context): Expansions {
  const named = new URLSearchParams(ctx.querystring)
    .getAll('expand')
    .flatMap((list) => list.split(','))
    .filter((name) => name !== '');
  if (named.length > MAX_EXPANSIONS) {
    throw new BetaError(400, { message: `At most ${MAX_EXPANSIONS} fields can be expanded.` });
  }
  return new Set(named);
}

const PAYMENT_FIELDS: Listing<Payment>['fields'] = {
  createdTime: ({ createdTime }) => createdTime,
  modifiedTime: ({ modifiedTime }) => modifiedTime,
  clientCreatedTime: ({ clientCreatedTime }) => clientCreatedTime,
  result: ({ result }) => result,
  amount: ({ amount }) => amount,
  'order.id': ({ orderId }) => orderId,
};
const ORDER_FIELDS: Listing<Order>['fields'] = {
  createdTime: ({ createdTime }) => createdTime,
  modifiedTime: ({ modifiedTime }) => modifiedTime,
  total: ({ total }) => total,
};
const CUSTOMER_FIELDS: Listing<Customer>['fields'] = {
  firstName: ({ firstName }) => firstName,
  lastName: ({ lastName }) => lastName,
  customerSince: ({ customerSince }) => customerSince,
};
const TIMES = ['createdTime', 'modifiedTime', 'clientCreatedTime'];

function paymentListing(world: World, ctx: Context): Listing<Payment> {
  const createdTime = (payment: Payment) => payment.createdTime;
  return { ...pageQuery(world, ctx), fields: PAYMENT_FIELDS, times: TIMES, createdTime };
}

function orderListing(world: World, ctx: Context): Listing<Order> {
  const createdTime = (order: Order) => order.createdTime;
  return { ...pageQuery(world, ctx), fields: ORDER_FIELDS, times: TIMES, createdTime };
}

function customerListing(world: World, ctx: Context): Listing<Customer> {
  const createdTime = (customer: Customer) => customer.customerSince;
  return { ...pageQuery(world, ctx), fields: CUSTOMER_FIELDS, times: [], createdTime };
}

function pageQuery(world: World, ctx: Context) {
  return { query: new URLSearchParams(ctx.querystring), nowMs: world.now().getTime() };
}

function ownedBy<T extends { merchantId: string }>(
  merchantId: string,
  all: ReadonlyMap<string, T>,
): T[] {
  return [...all.values()].filter((item) => item.merchantId === merchantId);
}

function answerList(ctx: Context, fields: object, elements: readonly object[]): void {
  ctx.set('X-Beta-Allowed-Filter-Fields', Object.keys(fields).join(','));
  ctx.body = { elements, href: ctx.href };
}
