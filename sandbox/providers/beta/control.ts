import Router from '@koa/router';
import bodyParser from 'koa-bodyparser';
import { Chaos } from '../shared/chaos.ts';
import { Consent } from '../shared/consent.ts';
import { RestFault } from '../shared/rest-faults.ts';
import {
  AttachCommand,
  BatchingCommand,
  ClaimCommand,
  CustomerCommand,
  MerchantCommand,
  RefundCommand,
  SaleCommand,
  SettleCommand,
  TipCommand,
  VoidCommand,
  withMerchant,
} from './commands.ts';
import type { BetaSimulator } from './handle.ts';
import type { World } from './world.ts';

/** The simulator's JSON controls under /_sim, for people and tests. */
export function createControl(world: World, simulator: BetaSimulator): Router {
  const router = new Router({ prefix: '/_sim' });
  router.use(bodyParser({ enableTypes: ['json'] }));
  addViews(router, world, simulator);
  const commands = { ...paymentCommands(world, simulator), ...faultCommands(simulator) };
  for (const [path, run] of Object.entries(commands)) {
    router.post(path, async (ctx) => {
      const body = (await run(ctx.params.id ?? '', ctx.request.body)) ?? { ok: true };
      ctx.status = 201;
      ctx.body = body;
    });
  }
  return router;
}

type Commands = Record<string, (id: string, body: unknown) => unknown>;

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

function paymentCommands(world: World, simulator: BetaSimulator): Commands {
  return {
    '/merchants': (_, body) => simulator.addMerchant(MerchantCommand.parse(body)),
    '/merchants/:id/uninstall': (id) => simulator.uninstall(id),
    '/merchants/:id/launch': (id) => ({ url: simulator.marketLaunchUrl(id) }),
    '/customers': (_, body) =>
      simulator.addCustomer(withMerchant(world, CustomerCommand.parse(body))),
    '/sales': (_, body) => simulator.ring(withMerchant(world, SaleCommand.parse(body))),
    '/payments/:id/settle': (id, body) => simulator.settle(id, SettleCommand.parse(body).result),
    '/payments/:id/tip': (id, body) => simulator.setTip(id, TipCommand.parse(body).amount),
    '/payments/:id/refunds': (id, body) => simulator.refund(id, RefundCommand.parse(body).amount),
    '/payments/:id/void': (id, body) => simulator.voidPayment(id, VoidCommand.parse(body).reason),
    '/orders/:id/customers': (id, body) =>
      simulator.attachCustomer(id, AttachCommand.parse(body).customerId),
  };
}

function faultCommands(simulator: BetaSimulator): Commands {
  return {
    '/verifications': () => simulator.sendVerification(),
    '/messages/:id/redeliver': (id) => simulator.redeliver(id),
    '/failures': (_, body) => simulator.fail(RestFault.parse(body)),
    '/lose-next': () => simulator.loseNext(),
    '/chaos': (_, body) => simulator.setChaos(Chaos.parse(body)),
    '/batching': (_, body) => simulator.setBatching(BatchingCommand.parse(body).batching),
    '/consent': (_, body) => {
      const { mode, merchantId } = Consent.parse(body);
      simulator.setConsent(mode, merchantId);
    },
    '/claims': (_, body) => simulator.claimMerchant(ClaimCommand.parse(body).merchantId),
  };
}
