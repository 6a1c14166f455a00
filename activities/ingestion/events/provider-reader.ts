import type { Db } from '../../../db/connection.ts';
import type { PosConnection } from '../../../db/connections/pos-connections.ts';
import type { OpenEvent } from '../../../db/events/webhook-events.ts';
import type { PaymentKey } from '../../../db/payments/facts.ts';
import * as payments from '../../../db/payments/payments.ts';
import type { NormalizedPayment } from '../../../domain/payment.ts';
import type {
  Contacts,
  EventAnswer,
  ProviderClient,
} from '../../../gateways/providers/provider.ts';
import { withAccessToken } from '../../connections/access-tokens.ts';
import type { AccessTokenDeps } from '../../connections/token-refresh.ts';
import { together } from '../../together.ts';
import { hasNoContact } from '../decide/payment-report.ts';

/** Says whether payments are decided; those asked about at the same time are looked up together. */
export function decidedIn(db: Db) {
  return together((keys: readonly PaymentKey[]) => payments.areDecided(db, keys));
}

/** Reads from the provider of one connection, each customer once, until the signal aborts. */
export class ProviderReader {
  readonly #deps: AccessTokenDeps;
  readonly #client: ProviderClient;
  readonly #connection: PosConnection;
  readonly #signal: AbortSignal;
  readonly #isDecidedBy: (key: PaymentKey) => Promise<boolean>;
  readonly #customers = new Map<string, Promise<Contacts | null>>();

  /** `isDecided`: of readers that read at the same time, so that they look up payments together. */
  constructor(
    deps: AccessTokenDeps,
    connection: PosConnection,
    signal: AbortSignal,
    isDecided = decidedIn(deps.db),
  ) {
    this.#deps = deps;
    this.#client = deps.providers[connection.provider];
    this.#connection = connection;
    this.#signal = signal;
    this.#isDecidedBy = isDecided;
  }

  /** What the provider says of an event of its own. Writes nothing, and never throws. */
  async reportsOf(event: OpenEvent): Promise<EventAnswer> {
    try {
      const asking = {
        merchantId: this.#connection.merchantId,
        signal: this.#signal,
        ask: <T>(calls: (accessToken: string) => Promise<T>) => this.#ask(calls),
        isDecided: (providerPaymentId: string) => this.#isDecided(providerPaymentId),
      };
      const answer = await this.#client.fetchReports(asking, event.body);
      const completed = answer.payments.map((payment) => this.withContacts(payment));
      return { ...answer, payments: await Promise.all(completed) };
    } catch (error) {
      return { payments: [], failures: [error] };
    }
  }

  /** The payment with its customer's contacts, unless it has contacts or is decided already. */
  async withContacts(payment: NormalizedPayment): Promise<NormalizedPayment> {
    const { providerCustomerId, providerPaymentId } = payment;
    const { findContacts } = this.#client;
    if (findContacts === undefined) return payment;
    if (providerCustomerId === null || !hasNoContact(payment)) return payment;
    if (await this.#isDecided(providerPaymentId)) return payment;
    const contacts = await this.#contactsOf(providerCustomerId, findContacts);
    return { ...payment, email: contacts?.email ?? null, phone: contacts?.phone ?? null };
  }

  #isDecided(providerPaymentId: string): Promise<boolean> {
    const { tenantId, provider } = this.#connection;
    return this.#isDecidedBy({ tenantId, provider, providerPaymentId });
  }

  #contactsOf(
    customerId: string,
    find: NonNullable<ProviderClient['findContacts']>,
  ): Promise<Contacts | null> {
    const known = this.#customers.get(customerId);
    if (known !== undefined) return known;
    const asked = this.#ask((token) => find(token, customerId, this.#signal));
    this.#customers.set(customerId, asked);
    // A failure is not kept: the provider may be asked once more.
    asked.catch(() => this.#customers.delete(customerId));
    return asked;
  }

  #ask<T>(call: (accessToken: string) => Promise<T>): Promise<T> {
    return withAccessToken(this.#deps, this.#connection, call);
  }
}
