import type { Db } from '../../db/connection.ts';
import type { PosConnection } from '../../db/connections/pos-connections.ts';
import type { OpenEvent } from '../../db/events/webhook-events.ts';
import * as payments from '../../db/payments/payments.ts';
import type { NormalizedPayment, Provider } from '../../domain/payment.ts';
import type { Alpha } from '../../gateways/alpha/client.ts';
import { type Contacts, readAlphaReport } from '../../gateways/alpha/payloads.ts';
import type { Beta } from '../../gateways/beta/client.ts';
import { ProviderError } from '../../gateways/provider/error.ts';
import { withAccessToken } from '../connections/access-tokens.ts';
import type { AccessTokenDeps } from '../connections/token-refresh.ts';
import { fetchBetaPayments } from './fetch-beta-payments.ts';
import { hasNoContact } from './payment-report.ts';

export type ReportDeps = AccessTokenDeps & { db: Db; alpha: Alpha; beta: Beta };

/** What a provider says of an event's payments, with the errors of those that it does not tell. */
export type EventAnswer = { payments: NormalizedPayment[]; failures: unknown[] };

/** Reads from the provider of one connection, each customer once, until the signal aborts. */
export class ProviderReader {
  readonly #deps: ReportDeps;
  readonly #connection: PosConnection;
  readonly #signal: AbortSignal;
  readonly #customers = new Map<string, Promise<Contacts | null>>();

  constructor(deps: ReportDeps, connection: PosConnection, signal: AbortSignal) {
    this.#deps = deps;
    this.#connection = connection;
    this.#signal = signal;
  }

  /** What the provider says of an event of its own. Writes nothing, and never throws. */
  async reportsOf(event: OpenEvent): Promise<EventAnswer> {
    try {
      if (event.provider === 'beta') return await this.#betaReports(event.body);
      const payment = await this.#alphaPayment(event.body);
      return { payments: payment === null ? [] : [await this.withContacts(payment)], failures: [] };
    } catch (error) {
      return { payments: [], failures: [error] };
    }
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
    const { tenantId } = this.#connection;
    return payments.isDecided(this.#deps.db, { tenantId, provider, providerPaymentId });
  }

  async #alphaPayment(body: Buffer): Promise<NormalizedPayment | null> {
    const report = readAlphaReport(body);
    if (report.kind === 'payment') return report.payment;
    if (report.kind !== 'refund') return null;
    const payment = await this.#ask((token) =>
      this.#deps.alpha.findPayment(token, report.paymentId, this.#signal),
    );
    if (payment !== null) return payment;
    // The event of a refund may arrive before its payment can be read.
    throw new ProviderError('alpha does not know the refunded payment yet.', 404, {
      isTransient: true,
    });
  }

  async #betaReports(body: Buffer): Promise<EventAnswer> {
    const { beta } = this.#deps;
    const { merchantId } = this.#connection;
    const isDecided = (id: string) => this.#isDecided('beta', id);
    return this.#ask(async (token) => {
      const asking = { beta, isDecided, signal: this.#signal };
      const reports = await fetchBetaPayments(asking, this.#connection, token, body);
      const refused = reports.failures.find(
        (error) => error instanceof ProviderError && error.status === 401,
      );
      // Beta answers 401 to a bad token and to a missing permission alike. This call throws only
      // for a bad token, and only then may the token be refreshed or the connection be flagged.
      if (refused !== undefined) await beta.findMerchant(token, merchantId, this.#signal);
      return reports;
    });
  }

  #contactsOf(customerId: string): Promise<Contacts | null> {
    const known = this.#customers.get(customerId);
    if (known !== undefined) return known;
    const asked = this.#ask((token) =>
      this.#deps.alpha.findCustomer(token, customerId, this.#signal),
    );
    this.#customers.set(customerId, asked);
    // A failure is not kept: the provider may be asked once more.
    asked.catch(() => this.#customers.delete(customerId));
    return asked;
  }

  #ask<T>(call: (accessToken: string) => Promise<T>): Promise<T> {
    return withAccessToken(this.#deps, this.#connection, call);
  }
}
