import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import Koa from 'koa';
import { listenOnLoopback } from '../../processes/listen.ts';
import { type Chaos, ChaosDial } from '../shared/chaos.ts';
import type { Consent } from '../shared/consent.ts';
import { answerCommands } from '../shared/control.ts';
import { Journal } from '../shared/journal.ts';
import { RestChaos } from '../shared/rest-chaos.ts';
import { RestFault, RestFaults } from '../shared/rest-faults.ts';
import {
  addCustomer,
  addMerchant,
  issueToken,
  type NewCustomer,
  type NewMerchant,
  type TokenOptions,
  uninstall,
} from './accounts.ts';
import type { Batching } from './batching.ts';
import { createControl } from './control.ts';
import { Deliveries } from './deliveries.ts';
import type { BetaSimulator } from './handle.ts';
import { Limiter, REAL_LIMITS } from './limits.ts';
import { OAuth, type TokenAnswers } from './oauth.ts';
import { createOAuthRoutes, isTokenPath } from './oauth-routes.ts';
import type { BetaOptions } from './options.ts';
import { createPage } from './page.ts';
import { attachCustomer, ring, type Sale, setTip, settle } from './payment-lifecycle.ts';
import { failRefund, refund, voidPayment } from './refunds.ts';
import { answerAsProvider, isRest } from './responses.ts';
import { createRest } from './rest.ts';
import { drawRefusal } from './rest-chaos.ts';
import { BetaStore } from './store.ts';
import { sendVerification } from './verification.ts';
import type { World } from './world.ts';

export type { BetaSimulator } from './handle.ts';

const SECOND_MS = 1000;
const ANSWER_TIMEOUT_MS = 10_000;
const ANSWER_DELAY_MS = 5;

/**
 * Starts a stateful simulator of provider beta on 127.0.0.1: OAuth, REST, webhooks, controls and a
 * page. Continues to deliver messages that an earlier process left undelivered.
 */
export async function startBeta(options: BetaOptions): Promise<BetaSimulator> {
  const parts = createParts(options);
  const { world, deliveries, limiter } = parts;
  const listener = await listenOnLoopback(options.port);
  const simulator: BetaSimulator = {
    url: listener.url,
    port: listener.port,
    ...worldActions(world),
    ...controlActions(parts, options),
    violations: () => limiter.violations(),
    running: () => limiter.running(),
    journal: () => world.journal.entries(),
    idle: () => deliveries.idle(),
    async stop() {
      await listener.stop();
      await deliveries.stop();
    },
  };
  listener.answerWith(createApp(parts, simulator).callback());
  deliveries.resume();
  return simulator;
}

type Parts = {
  world: World;
  deliveries: Deliveries;
  oauth: OAuth;
  faults: RestFaults;
  limiter: Limiter;
  dial: ChaosDial;
  beforeAnswer: () => Promise<unknown>;
};

function createParts(options: BetaOptions): Parts {
  const { appId, seed = randomInt(2 ** 32), now: clock = () => new Date() } = options;
  const dial = new ChaosDial(seed);
  const now = () => new Date(clock().getTime() + dial.skewMs());
  const store = new BetaStore({ file: options.stateFile, seed });
  const journal = new Journal();
  const deliveries = new Deliveries({
    store,
    journal,
    dial,
    now,
    appId,
    webhookUrl: options.webhookUrl,
    webhookSecret: options.webhookSecret,
    authStyle: options.authStyle ?? 'x-beta-auth',
    retryMode: options.retryMode ?? false,
    minuteMs: options.minuteMs ?? SECOND_MS,
    answerTimeoutMs: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
  });
  const world: World = {
    store,
    journal,
    now,
    appId,
    restChaos: new RestChaos(dial, drawRefusal),
    losesNext: false,
    subscriptions: new Set(options.subscriptions ?? ['P', 'O']),
    outcomeUrl: options.outcomeUrl,
    send: (messages) => deliveries.send(messages),
  };
  return {
    world,
    deliveries,
    dial,
    oauth: new OAuth(world, options, options.tokenAnswers ?? 'legacy'),
    faults: new RestFaults(),
    limiter: new Limiter({ ...REAL_LIMITS, ...options.limits }, options.elapsedMs),
    beforeAnswer: options.beforeAnswer ?? (() => sleep(ANSWER_DELAY_MS)),
  };
}

function controlActions({ world, deliveries, oauth, faults, dial }: Parts, options: BetaOptions) {
  const { store, journal, now } = world;
  const { webhookUrl, answerTimeoutMs: timeoutMs = ANSWER_TIMEOUT_MS } = options;
  return {
    setConsent: (mode: Consent['mode'], merchantId?: string) => {
      oauth.consent = { mode, ...(merchantId !== undefined && { merchantId }) };
    },
    claimMerchant: (merchantId: string | null | undefined) => {
      oauth.claimedMerchantId = merchantId;
    },
    setTokenAnswers: (answers: TokenAnswers) => {
      oauth.tokenAnswers = answers;
    },
    newCode: (merchantId: string) => oauth.newCode(merchantId),
    marketLaunchUrl: (merchantId: string, withCode = false) =>
      oauth.marketLaunchUrl(merchantId, withCode),
    sendVerification: () =>
      sendVerification({ random: store.random, journal, now, webhookUrl, timeoutMs }),
    setBatching: (batching: Batching | undefined) => deliveries.setBatching(batching),
    setChaos: (chaos: Chaos) => dial.set(chaos),
    redeliver: (messageId: string) => deliveries.redeliver(messageId),
    loseNext: () => {
      world.losesNext = true;
    },
    fail: (fault: RestFault) => faults.schedule(RestFault.parse(fault)),
  };
}

function worldActions(world: World) {
  return {
    addMerchant: (merchant: NewMerchant) => addMerchant(world, merchant),
    addCustomer: (customer: NewCustomer) => addCustomer(world, customer),
    issueToken: (merchantId: string, options?: TokenOptions) =>
      issueToken(world, merchantId, options),
    uninstall: (merchantId: string) => uninstall(world, merchantId),
    ring: (sale: Sale) => ring(world, sale),
    settle: (paymentId: string, result: 'SUCCESS' | 'FAIL') => settle(world, paymentId, result),
    setTip: (paymentId: string, tip: number) => setTip(world, paymentId, tip),
    attachCustomer: (orderId: string, customerId: string) =>
      attachCustomer(world, orderId, customerId),
    refund: (paymentId: string, amount?: number) => refund(world, paymentId, amount),
    failRefund: (paymentId: string, refundId: string) => failRefund(world, paymentId, refundId),
    voidPayment: (paymentId: string, reason?: string) => voidPayment(world, paymentId, reason),
  };
}

function createApp(parts: Parts, simulator: BetaSimulator): Koa {
  const { world, oauth } = parts;
  const asProvider = answerAsProvider(parts);
  const app = new Koa();
  app.use((ctx, next) =>
    isRest(ctx.path) || isTokenPath(ctx.path) ? asProvider(ctx, next) : answerCommands(ctx, next),
  );
  for (const router of [
    createRest(world),
    createOAuthRoutes(world, oauth),
    createControl(world, simulator),
    createPage(world, simulator),
  ]) {
    app.use(router.routes());
  }
  return app;
}
