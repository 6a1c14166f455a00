import { randomInt } from 'node:crypto';
import Koa from 'koa';
import { listenOnLoopback } from '../../processes/listen.ts';
import { type Chaos, ChaosDial } from '../shared/chaos.ts';
import { Consent } from '../shared/consent.ts';
import { answerCommands } from '../shared/control.ts';
import { Journal, type JournalEntry } from '../shared/journal.ts';
import { RestChaos } from '../shared/rest-chaos.ts';
import { RestFaults } from '../shared/rest-faults.ts';
import {
  addCustomer,
  addLocation,
  addMerchant,
  mergeCustomers,
  type NewCustomer,
  type NewLocation,
  type NewMerchant,
} from './accounts.ts';
import { App, OAuthErrorShape } from './app.ts';
import { RestFaultCommand } from './commands.ts';
import { createConsent } from './consent.ts';
import { createControl } from './control.ts';
import type { Controls } from './controls.ts';
import { ANSWER_TIMEOUT_MS, Deliveries } from './deliveries.ts';
import { type IssuedToken, issueToken, revokeTokens } from './grants.ts';
import type { Customer, Location, Merchant, Payment, Refund } from './model.ts';
import { createOAuth } from './oauth.ts';
import { createPage } from './page.ts';
import {
  attachCustomer,
  cancel,
  capture,
  decline,
  failRefund,
  refund,
  setTip,
} from './payment-lifecycle.ts';
import { answerAsProvider, createRest } from './rest.ts';
import { drawRefusal } from './rest-chaos.ts';
import { ring, type Sale } from './sales.ts';
import { AlphaStore } from './store.ts';
import { Visibility } from './visibility.ts';
import { type WebhookFault, WebhookFaults } from './webhook-faults.ts';
import type { HeaderNames } from './webhook-request.ts';
import type { World } from './world.ts';

const SECOND_MS = 1000;

export type AlphaOptions = {
  /** 0 picks a free port. */
  port: number;
  /** The app that merchants connect to. */
  appId: string;
  appSecret: string;
  /** Where a merchant's browser is redirected; without it no merchant can be asked. */
  redirectUrl?: string;
  signatureKey: string;
  /** The registered notification URL: events are sent there, and it is signed with them. */
  webhookUrl: string;
  /** Where people see what the service made of a payment, if there is such a page. */
  outcomeUrl?: (paymentId: string) => string;
  /** The names of the webhook headers; `alpha` by default. */
  headerNames?: HeaderNames;
  /** Makes ids and chaos repeatable; random when absent. A state file continues its own ids. */
  seed?: number;
  now?: () => Date;
  /** Keeps the world across restarts; in memory only when absent. */
  stateFile?: string;
  /** The length of a minute of the provider's retry schedule here; a second by default. */
  minuteMs?: number;
  /** How long the receiver may take to respond; 10 seconds by default. */
  answerTimeoutMs?: number;
  /** How far lists lag behind the present state; 0 by default. */
  visibilityDelayMs?: number;
};

export type AlphaSimulator = {
  readonly url: string;
  readonly port: number;
  addMerchant(merchant: NewMerchant): Merchant;
  addLocation(merchantId: string, location: NewLocation): Location;
  addCustomer(customer: NewCustomer): Customer;
  mergeCustomers(from: string, into: string): void;
  /** Connects the merchant; from then on its events are sent. */
  issueToken(
    merchantId: string,
    options?: { scopes?: readonly string[]; livesSeconds?: number },
  ): IssuedToken;
  revokeTokens(merchantId: string): void;
  /** Sets how the authorization page responds, for this merchant or the first one. */
  setConsent(mode: Consent['mode'], merchantId?: string): void;
  setOAuthErrors(shape: OAuthErrorShape): void;
  ring(sale: Sale): Payment;
  capture(paymentId: string): Payment;
  cancel(paymentId: string): Payment;
  decline(paymentId: string): Payment;
  setTip(paymentId: string, tip: number): Payment;
  refund(paymentId: string, amount: number): Refund;
  failRefund(refundId: string): Refund;
  attachCustomer(paymentId: string, customerId: string): Payment;
  redeliver(eventId: string): void;
  /** Schedules a fault of the REST API. */
  fail(fault: RestFaultCommand): void;
  /** Schedules a fault of webhooks. */
  scheduleWebhookFault(fault: WebhookFault): void;
  setChaos(chaos: Chaos): void;
  journal(): JournalEntry[];
  /** Resolves when no event is queued, in progress or waiting for a retry. */
  idle(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts a stateful simulator of provider alpha on 127.0.0.1: OAuth, REST, webhooks, controls and a
 * page. Continues to deliver events that an earlier process left undelivered.
 */
export async function startAlpha(options: AlphaOptions): Promise<AlphaSimulator> {
  const controls = createControls(options);
  const { world, deliveries, restFaults, webhookFaults, dial } = controls;
  const listener = await listenOnLoopback(options.port);
  listener.answerWith(createApp(controls).callback());
  deliveries.resume();
  return {
    url: listener.url,
    port: listener.port,
    addMerchant: (merchant) => addMerchant(world, merchant),
    addLocation: (merchantId, location) => addLocation(world, merchantId, location),
    addCustomer: (customer) => addCustomer(world, customer),
    mergeCustomers: (from, into) => mergeCustomers(world, from, into),
    issueToken: (merchantId, wanted) => issueToken(world, merchantId, wanted),
    revokeTokens: (merchantId) => revokeTokens(world, merchantId),
    setConsent(mode, merchantId) {
      world.app.consent = Consent.parse({ mode, merchantId });
    },
    setOAuthErrors(shape) {
      world.app.errorShape = OAuthErrorShape.parse(shape);
    },
    ring: (sale) => ring(world, sale),
    capture: (paymentId) => capture(world, paymentId),
    cancel: (paymentId) => cancel(world, paymentId),
    decline: (paymentId) => decline(world, paymentId),
    setTip: (paymentId, tip) => setTip(world, paymentId, tip),
    refund: (paymentId, amount) => refund(world, paymentId, amount),
    failRefund: (refundId) => failRefund(world, refundId),
    attachCustomer: (paymentId, customerId) => attachCustomer(world, paymentId, customerId),
    redeliver: (eventId) => deliveries.redeliver(eventId),
    fail: (fault) => restFaults.schedule(RestFaultCommand.parse(fault)),
    scheduleWebhookFault: (fault) => webhookFaults.schedule(fault),
    setChaos: (chaos) => dial.set(chaos),
    journal: () => world.journal.entries(),
    idle: () => deliveries.idle(),
    async stop() {
      await listener.stop();
      await deliveries.stop();
    },
  };
}

function createControls(options: AlphaOptions): Controls {
  const { stateFile: file, seed = randomInt(2 ** 32), now = () => new Date() } = options;
  const dial = new ChaosDial(seed);
  const shared = {
    store: new AlphaStore({ file, seed }),
    journal: new Journal(),
    now: () => new Date(now().getTime() + dial.skewMs()),
  };
  const webhookFaults = new WebhookFaults(dial);
  const deliveries = new Deliveries({
    ...shared,
    faults: webhookFaults,
    webhookUrl: options.webhookUrl,
    signatureKey: options.signatureKey,
    headerNames: options.headerNames ?? 'alpha',
    minuteMs: options.minuteMs ?? SECOND_MS,
    answerTimeoutMs: options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS,
  });
  const { appId: id, appSecret: secret, redirectUrl } = options;
  const world: World = {
    ...shared,
    app: new App({ id, secret, redirectUrl }),
    visibility: new Visibility(options.visibilityDelayMs ?? 0),
    restChaos: new RestChaos(dial, drawRefusal),
    decorate: (event) => webhookFaults.decorate(event),
    outcomeUrl: options.outcomeUrl,
    send: (events) => deliveries.send(events),
  };
  return { world, deliveries, webhookFaults, dial, restFaults: new RestFaults() };
}

function createApp(controls: Controls): Koa {
  const { world, restFaults } = controls;
  const app = new Koa();
  const asProvider = answerAsProvider(world, restFaults);
  app.use((ctx, next) => (isApi(ctx.path) ? asProvider(ctx, next) : answerCommands(ctx, next)));
  for (const router of [
    createRest(world),
    createConsent(world),
    createOAuth(world),
    createControl(controls),
    createPage(controls),
  ]) {
    app.use(router.routes());
  }
  return app;
}

/** Whether the path is called by the app itself, not by a browser. */
function isApi(path: string): boolean {
  return path.startsWith('/v2/') || (path.startsWith('/oauth2/') && path !== '/oauth2/authorize');
}
