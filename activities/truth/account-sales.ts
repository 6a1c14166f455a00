import * as truthDays from '../../db/connections/truth-days.ts';
import type { Span } from '../../domain/intervals.ts';
import { settled } from '../../domain/payment.ts';
import type { ComparedSale } from '../../domain/truth.ts';
import type { Calls, CreatedPayments, ListedPayment } from '../../gateways/providers/provider.ts';
import { InvalidPayload, ProviderError } from '../../gateways/providers/shared/error.ts';
import { inParallel } from '../concurrency.ts';
import { withAccessToken } from '../connections/access-tokens.ts';
import { isAway, recordAway } from '../connections/availability.ts';
import { ReconnectNeeded } from '../connections/token-refresh.ts';
import { REQUESTS_PER_CONNECTION } from '../ingestion/events/resolve-customers.ts';
import type { IngestionDeps } from '../ingestion/index.ts';

/** A sale of a provider's list, and what its repair needs. */
export type AccountSale = ComparedSale & { changedAt: Date | null };

/** What a provider lists of an account: what counts as a sale, and the ids of all else. */
export type ListedSales = { sales: Map<string, AccountSale>; others: Set<string> };

/**
 * Throws an error that is not of a provider that does not answer now, and the reason of a signal
 * that is aborted. That a provider is away is recorded, as by all that call it.
 */
export async function throwUnlessProviders(
  deps: IngestionDeps,
  { connection }: truthDays.ComparedConnection,
  { error, signal }: { error: unknown; signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  if (isAway(error)) await recordAway(deps, connection, error);
  const isTheirs =
    error instanceof ProviderError ||
    error instanceof InvalidPayload ||
    error instanceof ReconnectNeeded;
  if (!isTheirs) throw error;
}

/** The sales of one connection's account, as its provider tells them. */
export class AccountSales {
  readonly #deps: IngestionDeps;
  readonly #created: CreatedPayments;
  readonly #at: truthDays.ComparedConnection;
  readonly #calls: Calls;

  constructor(
    deps: IngestionDeps,
    created: CreatedPayments,
    at: truthDays.ComparedConnection,
    signal: AbortSignal,
  ) {
    this.#deps = deps;
    this.#created = created;
    this.#at = at;
    const { merchantId } = at.connection;
    const ask: Calls['ask'] = (calls) => withAccessToken(deps, at.connection, calls);
    this.#calls = { merchantId, signal, ask };
  }

  /** Opens them; undefined where the provider does not list them. */
  static of(
    deps: IngestionDeps,
    at: truthDays.ComparedConnection,
    signal: AbortSignal,
  ): AccountSales | undefined {
    const { created } = deps.providers[at.connection.provider];
    return created && new AccountSales(deps, created, at, signal);
  }

  /**
   * Lists what was sold in a span; undefined once there are more than `most`. `onPage` is called
   * after each page. Sales of before the tenant had the account are left out.
   */
  async list(
    span: Span,
    { most, onPage }: { most: number; onPage: () => void },
  ): Promise<ListedSales | undefined> {
    const listed: ListedSales = { sales: new Map(), others: new Set() };
    for await (const page of this.#created.list(this.#calls, span)) {
      onPage();
      for (const item of page) this.#add(listed, item);
      if (listed.sales.size > most) return undefined;
    }
    return listed;
  }

  /** Lists what was sold in a span, as far as one page of the provider's goes. */
  async firstPage(span: Span): Promise<AccountSale[]> {
    const listed: ListedSales = { sales: new Map(), others: new Set() };
    for await (const page of this.#created.list(this.#calls, span)) {
      for (const item of page) this.#add(listed, item);
      break;
    }
    return [...listed.sales.values()];
  }

  /** Of sales that are known here, those that the provider, asked singly, does not know. */
  async unknown(sales: readonly ComparedSale[], onAnswer: () => void): Promise<ComparedSale[]> {
    const unknown: ComparedSale[] = [];
    await inParallel(sales, REQUESTS_PER_CONNECTION, async (sale) => {
      if ((await this.#created.find(this.#calls, sale.id)) === null) unknown.push(sale);
      onAnswer();
    });
    return unknown;
  }

  #add({ sales, others }: ListedSales, item: ListedPayment): void {
    if (!('payment' in item)) {
      // One that cannot be read is not known here either: it is reported as missing.
      if (item.id !== null) sales.set(item.id, { ...UNREADABLE, id: item.id });
      return;
    }
    const { providerPaymentId: id, occurredAt } = item.payment;
    const sale = settled(item.payment, this.#deps.ingestPolicy.refunds);
    if (sale === null || occurredAt < this.#at.earnsFrom) {
      others.add(id);
      return;
    }
    const { amountMinorUnits, refundedMinorUnits, currency, changedAt } = sale;
    sales.set(id, { id, amountMinorUnits, refundedMinorUnits, currency, changedAt });
  }
}

const UNREADABLE = {
  amountMinorUnits: 0,
  refundedMinorUnits: 0,
  currency: '',
  changedAt: null,
};

const IDS_AT_ONCE = 1_000;

/** Reads which of these sales are known here, by their ids. */
export async function knownOf(
  { db }: Pick<IngestionDeps, 'db'>,
  { connection }: truthDays.ComparedConnection,
  ids: readonly string[],
): Promise<Map<string, ComparedSale>> {
  const known = new Map<string, ComparedSale>();
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const some = ids.slice(start, start + IDS_AT_ONCE);
    for (const sale of await truthDays.readSales(db, connection, some)) known.set(sale.id, sale);
  }
  return known;
}
