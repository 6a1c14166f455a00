import type { Db } from '../../db/connection.ts';
import type { PosConnection } from '../../db/connections/pos-connections.ts';
import * as posConnections from '../../db/connections/pos-connections.ts';
import * as webhookEvents from '../../db/events/webhook-events.ts';
import * as payments from '../../db/payments/payments.ts';
import type { EventId } from '../../domain/ids.ts';
import type { NormalizedPayment, Provider } from '../../domain/payment.ts';
import type { Alpha } from '../../gateways/alpha/client.ts';
import { type Contacts, readAlphaReport } from '../../gateways/alpha/payloads.ts';
import type { Beta } from '../../gateways/beta/client.ts';
import { InvalidPayload, ProviderError } from '../../gateways/provider/error.ts';
import { inParallel } from '../concurrency.ts';
import {
  type AccessTokenDeps,
  ReconnectNeeded,
  withAccessToken,
} from '../connections/access-tokens.ts';
import { safeErrorText } from '../safe-error-text.ts';
import { fetchBetaPayments } from './fetch-beta-payments.ts';
import type { Resolved } from './ingest-events.ts';
import { hasNoContact } from './payment-report.ts';

export type ReportDeps = AccessTokenDeps & { db: Db; alpha: Alpha; beta: Beta };

export type FetchedReports = {
  /** What the provider said of each event; an event may be here and below, when a part is missing. */
  resolved: Map<EventId, Resolved>;
  /** Events of which the provider says nothing, and will not by being asked again soon. */
  failures: webhookEvents.EventFailure[];
  /** Events that it may say something of when it is asked again. */
  postponed: webhookEvents.EventFailure[];
  /** How long the provider wants to be left alone; 0 when it did not say. */
  retryAfterMs: number;
};

/** How many requests one connection may have open at a time, so that no tenant takes it all. */
const REQUESTS_PER_CONNECTION = 4;

/**
 * Asks providers for what these events do not say themselves, a few requests at a time for each
 * connection. Writes nothing, and never throws for what a provider does.
 */
export async function fetchReports(
  deps: ReportDeps,
  ids: readonly EventId[],
): Promise<FetchedReports> {
  const fetched: FetchedReports = {
    resolved: new Map(),
    failures: [],
    postponed: [],
    retryAfterMs: 0,
  };
  const events = await webhookEvents.read(deps.db, ids);
  const connections = await connectionsOf(deps.db, events);
  const byConnection = new Map<string, webhookEvents.OpenEvent[]>();
  for (const event of events) {
    const key = connectionKey(event);
    byConnection.set(key, [...(byConnection.get(key) ?? []), event]);
  }

  await Promise.all(
    [...byConnection].map(([key, itsEvents]) => {
      const asking = new ProviderReader(deps, connections.get(key));
      return inParallel(itsEvents, REQUESTS_PER_CONNECTION, (event) =>
        fetchReport(asking, event, fetched),
      );
    }),
  );
  return fetched;
}

type Owned = Pick<PosConnection, 'tenantId'> & { provider: string };
const connectionKey = ({ tenantId, provider }: Owned) => `${provider}/${tenantId}`;

async function connectionsOf(db: Db, events: readonly webhookEvents.OpenEvent[]) {
  const connections = new Map<string, PosConnection>();
  for (const provider of new Set(events.map((event) => event.provider))) {
    const tenantIds = events.filter((event) => event.provider === provider).map((e) => e.tenantId);
    for (const connection of await posConnections.listActive(db, provider, tenantIds)) {
      connections.set(connectionKey({ ...connection, provider }), connection);
    }
  }
  return connections;
}

async function fetchReport(
  asking: ProviderReader,
  event: webhookEvents.OpenEvent,
  fetched: FetchedReports,
): Promise<void> {
  const failed: unknown[] = [];
  try {
    const { payments, failures } = await asking.reportsOf(event);
    failed.push(...failures);
    if (payments.length > 0 || failures.length === 0) {
      fetched.resolved.set(event.id, { payments, isComplete: failures.length === 0 });
    }
  } catch (error) {
    failed.push(error);
  }
  if (failed.length === 0) return;
  // As long as a part may be had by asking again, the event is not given up.
  const postponing = failed.find((error) => error instanceof ProviderError && error.isTransient);
  const failure = { id: event.id, error: safeErrorText(postponing ?? failed[0]) };
  (postponing === undefined ? fetched.failures : fetched.postponed).push(failure);
  for (const error of failed) {
    if (error instanceof ProviderError) {
      fetched.retryAfterMs = Math.max(fetched.retryAfterMs, error.retryAfterMs ?? 0);
    }
  }
}

/** Asks one connection's provider, and for each customer once. */
class ProviderReader {
  readonly #deps: ReportDeps;
  readonly #connection: PosConnection | undefined;
  readonly #customers = new Map<string, Promise<Contacts | null>>();

  constructor(deps: ReportDeps, connection: PosConnection | undefined) {
    this.#deps = deps;
    this.#connection = connection;
  }

  async reportsOf(
    event: webhookEvents.OpenEvent,
  ): Promise<{ payments: NormalizedPayment[]; failures: unknown[] }> {
    if (event.provider === 'beta') return this.#betaReports(event.body);
    const payment = await this.#alphaPayment(event.body);
    return { payments: payment === null ? [] : [await this.withContacts(payment)], failures: [] };
  }

  /** The payment with its customer's contacts, unless it has some or needs none any more. */
  async withContacts(payment: NormalizedPayment): Promise<NormalizedPayment> {
    const { providerCustomerId, provider, providerPaymentId } = payment;
    if (providerCustomerId === null || !hasNoContact(payment)) return payment;
    if (await this.#isDecided(provider, providerPaymentId)) return payment;
    const contacts = await this.#contactsOf(providerCustomerId);
    return { ...payment, email: contacts?.email ?? null, phone: contacts?.phone ?? null };
  }

  #isDecided(provider: Provider, providerPaymentId: string): Promise<boolean> {
    const { tenantId } = this.#required();
    return payments.isDecided(this.#deps.db, { tenantId, provider, providerPaymentId });
  }

  async #alphaPayment(body: Buffer): Promise<NormalizedPayment | null> {
    const report = readAlphaReport(body);
    if (report.kind === 'payment') return report.payment;
    if (report.kind !== 'refund') return null;
    const payment = await this.#ask((token) =>
      this.#deps.alpha.findPayment(token, report.paymentId),
    );
    if (payment !== null) return payment;
    // A refund may be told of before its payment can be read.
    throw new ProviderError('alpha does not know the refunded payment yet.', 404, {
      isTransient: true,
    });
  }

  async #betaReports(body: Buffer) {
    const connection = this.#required();
    return this.#ask(async (token) => {
      const reports = await fetchBetaPayments(
        { beta: this.#deps.beta, isDecided: (id) => this.#isDecided('beta', id) },
        connection,
        token,
        body,
      );
      const refused = reports.failures.find(
        (error) => error instanceof ProviderError && error.status === 401,
      );
      // Beta refuses a bad token and a missing permission alike. Thrown, the 401 has the token
      // refreshed or the connection flagged, so it must be the token's.
      if (refused !== undefined) await this.#deps.beta.findMerchant(token, connection.merchantId);
      return reports;
    });
  }

  #contactsOf(customerId: string): Promise<Contacts | null> {
    const known = this.#customers.get(customerId);
    if (known !== undefined) return known;
    const asked = this.#ask((token) => this.#deps.alpha.findCustomer(token, customerId));
    this.#customers.set(customerId, asked);
    return asked;
  }

  #ask<T>(call: (accessToken: string) => Promise<T>): Promise<T> {
    return withAccessToken(this.#deps, this.#required(), call);
  }

  #required(): PosConnection {
    if (this.#connection !== undefined) return this.#connection;
    throw new Error(
      'The tenant has no active connection to this provider: it has to connect again.',
    );
  }
}

/**
 * Gives payments of alpha that name a customer but no contact those of their customer. `unresolved`
 * counts those whose customer cannot be had for the moment; they are left out. One whose customer
 * never can be had stays without contacts. Throws ReconnectNeeded.
 */
export async function resolveCustomers(
  deps: ReportDeps,
  connection: PosConnection,
  listed: readonly NormalizedPayment[],
): Promise<{ payments: NormalizedPayment[]; unresolved: number }> {
  const asking = new ProviderReader(deps, connection);
  const resolved = new Map<NormalizedPayment, NormalizedPayment>();
  let reconnect: ReconnectNeeded | undefined;
  await inParallel(listed, REQUESTS_PER_CONNECTION, async (payment) => {
    try {
      if (reconnect === undefined) resolved.set(payment, await asking.withContacts(payment));
    } catch (error) {
      if (error instanceof ReconnectNeeded) reconnect = error;
      // A customer who never can be read must not hold up the sales that come after.
      else if (isLasting(error)) resolved.set(payment, payment);
      else if (!(error instanceof ProviderError)) throw error;
    }
  });
  if (reconnect !== undefined) throw reconnect;
  const payments = listed.flatMap((payment) => resolved.get(payment) ?? []);
  return { payments, unresolved: listed.length - payments.length };
}

function isLasting(error: unknown): boolean {
  if (error instanceof InvalidPayload) return true;
  return error instanceof ProviderError && !error.isTransient;
}
