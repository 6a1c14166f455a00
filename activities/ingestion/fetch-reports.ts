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
  /** What the provider answered per event; an event with a missing part is here and below. */
  resolved: Map<EventId, Resolved>;
  /** Events that the provider cannot answer, now or on another attempt. */
  failures: webhookEvents.EventFailure[];
  /** Events that may succeed on another attempt. */
  postponed: webhookEvents.EventFailure[];
  /** How long the provider asked us to wait; 0 when it did not say. */
  retryAfterMs: number;
};

/** Open requests per connection, so that no tenant takes all of the capacity. */
const REQUESTS_PER_CONNECTION = 4;

/**
 * Fetches from providers what these events do not carry themselves, a few requests at a time per
 * connection. Writes nothing. What a provider refuses is a result, never thrown.
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
      const reader = new ProviderReader(deps, connections.get(key));
      return inParallel(itsEvents, REQUESTS_PER_CONNECTION, (event) =>
        fetchReport(reader, event, fetched),
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
  reader: ProviderReader,
  event: webhookEvents.OpenEvent,
  fetched: FetchedReports,
): Promise<void> {
  const failed: unknown[] = [];
  try {
    const { payments, failures } = await reader.reportsOf(event);
    failed.push(...failures);
    if (payments.length > 0 || failures.length === 0) {
      fetched.resolved.set(event.id, { payments, isComplete: failures.length === 0 });
    }
  } catch (error) {
    failed.push(error);
  }
  if (failed.length === 0) return;
  // While a part may succeed on another attempt, the event counts as postponed.
  const postponing = failed.find((error) => error instanceof ProviderError && error.isTransient);
  const failure = { id: event.id, error: safeErrorText(postponing ?? failed[0]) };
  (postponing === undefined ? fetched.failures : fetched.postponed).push(failure);
  for (const error of failed) {
    if (error instanceof ProviderError) {
      fetched.retryAfterMs = Math.max(fetched.retryAfterMs, error.retryAfterMs ?? 0);
    }
  }
}

/** Reads from the provider of one connection, each customer once. */
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

  /** The payment with its customer's contacts, unless it has contacts or is decided already. */
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
    // The event of a refund may arrive before its payment can be read.
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
      // Beta answers 401 to a bad token and to a missing permission alike. This call throws only
      // for a bad token, and only then may the token be refreshed or the connection be flagged.
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
 * Adds contacts to alpha payments that name a customer but carry no contact. Payments whose
 * customer cannot be read for the moment are left out and counted as `unresolved`. A payment whose
 * customer can never be read stays without contacts. Throws ReconnectNeeded.
 */
export async function resolveCustomers(
  deps: ReportDeps,
  connection: PosConnection,
  listed: readonly NormalizedPayment[],
): Promise<{ payments: NormalizedPayment[]; unresolved: number }> {
  const reader = new ProviderReader(deps, connection);
  const resolved = new Map<NormalizedPayment, NormalizedPayment>();
  let reconnect: ReconnectNeeded | undefined;
  await inParallel(listed, REQUESTS_PER_CONNECTION, async (payment) => {
    try {
      if (reconnect === undefined) resolved.set(payment, await reader.withContacts(payment));
    } catch (error) {
      if (error instanceof ReconnectNeeded) reconnect = error;
      // A customer that can never be read must not block the sales that follow.
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
