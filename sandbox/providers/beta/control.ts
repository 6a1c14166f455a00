import Router from '@koa/router';
import bodyParser from 'koa-bodyparser';
import { Consent } from '../alpha/app.ts';
import { Chaos } from '../shared/chaos.ts';
import {
  AttachOrder,
  BatchingOrder,
  ClaimOrder,
  CustomerOrder,
  FailureOrder,
  MerchantOrder,
  ofMerchant,
  RefundOrder,
  SaleOrder,
  SettleOrder,
  TipOrder,
  VoidOrder,
} from './commands.ts';
import type { BetaSimulator } from './simulator.ts';
import type { World } from './world.ts';

/** The steering of the simulator under /_sim, in JSON: what a person or a test may make happen. */
export function createControl(world: World, simulator: BetaSimulator): Router {
  const router = new Router({ prefix: '/_sim' });
  router.use(bodyParser({ enableTypes: ['json'] }));
  addViews(router, world, simulator);
  const orders = { ...storyOrders(world, simulator), ...troubleOrders(simulator) };
  for (const [path, order] of Object.entries(orders)) {
    router.post(path, async (ctx) => {
      const body = (await order(ctx.params.id ?? '', ctx.request.body)) ?? { ok: true };
      ctx.status = 201;
      ctx.body = body;
    });
  }
  return router;
}

type Orders = Record<string, (id: string, body: unknown) => unknown>;

function addViews(router: Router, { store }: World, simulator: BetaSimulator): void {
  router.get('/merchants', (ctx) => {
    ctx.body = [...store.merchants.values()].map((merchant) => ({
      ...merchant,
      customers: [...store.customers.values()].filter((it) => it.merchantId === merchant.id),
    }));
  });
  router.get('/journal', (ctx) => {
    ctx.body = simulator.journal();
  });
  router.get('/violations', (ctx) => {
    ctx.body = simulator.violations();
  });
}

function storyOrders(world: World, simulator: BetaSimulator): Orders {
  return {
    '/merchants': (_, body) => simulator.addMerchant(MerchantOrder.parse(body)),
    '/merchants/:id/uninstall': (id) => simulator.uninstall(id),
    '/merchants/:id/launch': (id) => ({ url: simulator.marketLaunchUrl(id) }),
    '/customers': (_, body) => simulator.addCustomer(ofMerchant(world, CustomerOrder.parse(body))),
    '/sales': (_, body) => simulator.ring(ofMerchant(world, SaleOrder.parse(body))),
    '/payments/:id/settle': (id, body) => simulator.settle(id, SettleOrder.parse(body).result),
    '/payments/:id/tip': (id, body) => simulator.setTip(id, TipOrder.parse(body).amount),
    '/payments/:id/refunds': (id, body) => simulator.refund(id, RefundOrder.parse(body).amount),
    '/payments/:id/void': (id, body) => simulator.voidPayment(id, VoidOrder.parse(body).reason),
    '/orders/:id/customers': (id, body) =>
      simulator.attachCustomer(id, AttachOrder.parse(body).customerId),
  };
}

function troubleOrders(simulator: BetaSimulator): Orders {
  return {
    '/verifications': () => simulator.sendVerification(),
    '/messages/:id/redeliver': (id) => simulator.redeliver(id),
    '/failures': (_, body) => simulator.fail(FailureOrder.parse(body)),
    '/chaos': (_, body) => simulator.setChaos(Chaos.parse(body)),
    '/batching': (_, body) => simulator.setBatching(BatchingOrder.parse(body).batching),
    '/consent': (_, body) => {
      const { mode, merchantId } = Consent.parse(body);
      simulator.setConsent(mode, merchantId);
    },
    '/claims': (_, body) => simulator.claimMerchant(ClaimOrder.parse(body).merchantId),
  };
}
