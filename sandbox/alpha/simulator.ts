import { randomInt } from 'node:crypto';
import Koa from 'koa';
import { listenOnLoopback } from '../listen.ts';
import {
  addCustomer,
  addMerchant,
  type IssuedToken,
  issueToken,
  mergeCustomers,
  type NewCustomer,
  type NewMerchant,
  revokeTokens,
} from './accounts.ts';
import { answerOrders, createControl } from './control.ts';
import { ANSWER_TIMEOUT_MS, Deliveries } from './deliveries.ts';
import { type Failure, Faults } from './faults.ts';
import { Journal, type JournalEntry } from './journal.ts';
import type { Customer, Merchant, Payment, Refund } from './model.ts';
import { createPage } from './page.ts';
import { answerAsProvider, createRest } from './rest.ts';
import { AlphaStore } from './store.ts';
import { attachCustomer, cancel, capture, refund, ring, type Sale } from './story.ts';
import type { World } from './world.ts';

const SECOND_MS = 1000;

export type AlphaOptions = {
  /** 0 takes a free one. */
  port: number;
  /** The app that merchants connect to. */
  appId: string;
  appSecret: string;
  signatureKey: string;
  /** The notification URL as registered: where events go, and part of what is signed. */
  webhookUrl: string;
  /** Makes ids repeatable; random when absent. A state file brings its own sequence. */
  seed?: number;
  now?: () => Date;
  /** Where the world is kept over restarts; in memory only when absent. */
  stateFile?: string;
  /** How long a minute of the provider's retry schedule takes here, a second by default. */
  minuteMs?: number;
  /** How long an answer may take, 10 seconds by default. */
  answerTimeoutMs?: number;
};

export type AlphaSimulator = {
  readonly url: string;
  readonly port: number;
  addMerchant(merchant: NewMerchant): Merchant;
  addCustomer(customer: NewCustomer): Customer;
  mergeCustomers(from: string, into: string): void;
  /** Connects the merchant: from then on its events are sent. */
  issueToken(
    merchantId: string,
    wish?: { scopes?: readonly string[]; livesSeconds?: number },
  ): IssuedToken;
  revokeTokens(merchantId: string): void;
  ring(sale: Sale): Payment;
  capture(paymentId: string): Payment;
  cancel(paymentId: string): Payment;
  refund(paymentId: string, amount: number): Refund;
  attachCustomer(paymentId: string, customerId: string): Payment;
  redeliver(eventId: string): void;
  fail(failure: Failure): void;
  journal(): JournalEntry[];
  /** Resolves when no event is queued, under way or waiting for a retry. */
  idle(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts a stateful stand-in for provider alpha on 127.0.0.1: REST, webhooks, steering and a page.
 *
 * Events that an earlier process has left undelivered are taken up again.
 */
export async function startAlpha(options: AlphaOptions): Promise<AlphaSimulator> {
  const { stateFile: file, seed = randomInt(2 ** 32), now = () => new Date() } = options;
  const store = new AlphaStore({ file, seed });
  const journal = new Journal();
  const faults = new Faults();
  const deliveries = new Deliveries({
    ...{ store, journal, now },
    webhookUrl: options.webhookUrl,
    signatureKey: options.signatureKey,
    minuteMs: options.minuteMs ?? SECOND_MS,
    answerTimeoutMs: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
  });
  const world: World = { store, journal, now, send: (events) => deliveries.send(events) };

  const listener = await listenOnLoopback(options.port);
  listener.answerWith(createApp(world, faults, deliveries).callback());
  deliveries.resume();
  return {
    url: listener.url,
    port: listener.port,
    addMerchant: (merchant) => addMerchant(world, merchant),
    addCustomer: (customer) => addCustomer(world, customer),
    mergeCustomers: (from, into) => mergeCustomers(world, from, into),
    issueToken: (merchantId, wish) => issueToken(world, merchantId, wish),
    revokeTokens: (merchantId) => revokeTokens(world, merchantId),
    ring: (sale) => ring(world, sale),
    capture: (paymentId) => capture(world, paymentId),
    cancel: (paymentId) => cancel(world, paymentId),
    refund: (paymentId, amount) => refund(world, paymentId, amount),
    attachCustomer: (paymentId, customerId) => attachCustomer(world, paymentId, customerId),
    redeliver: (eventId) => deliveries.redeliver(eventId),
    fail: (failure) => faults.order(failure),
    journal: () => journal.entries(),
    idle: () => deliveries.idle(),
    async stop() {
      await listener.stop();
      await deliveries.stop();
    },
  };
}

function createApp(world: World, faults: Faults, deliveries: Deliveries): Koa {
  const app = new Koa();
  const asProvider = answerAsProvider(world, faults);
  app.use((ctx, next) =>
    ctx.path.startsWith('/v2/') ? asProvider(ctx, next) : answerOrders(ctx, next),
  );
  for (const router of [
    createRest(world),
    createControl(world, faults, deliveries),
    createPage(world),
  ]) {
    app.use(router.routes());
  }
  return app;
}
