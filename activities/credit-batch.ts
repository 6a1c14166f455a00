import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../db/connection.ts';
import * as ingestion from '../db/ingestion.ts';
import * as wallets from '../db/wallets.ts';
import * as webhookEvents from '../db/webhook-events.ts';
import { type EventId, PaymentId } from '../domain/ids.ts';
import { type Decision, decide } from '../domain/ingestion.ts';
import { normaliseEmail, normalisePhone } from '../domain/matching.ts';
import type { NormalizedPayment } from '../domain/payment.ts';
import { type Contacts, readAlphaPayment } from '../gateways/alpha-payload.ts';
import { InvalidPayload } from '../gateways/provider-error.ts';

export type BatchResult = {
  verdicts: ingestion.Verdict[];
  /** Events whose payment names a customer but no contact: the customer has to be asked for. */
  needCustomer: EventId[];
  failures: webhookEvents.EventFailure[];
};

type Reading = { event: webhookEvents.OpenEvent; payment: NormalizedPayment };

/** A payment whose key is lost to another transaction is decided anew this often. */
const MAX_PASSES = 5;

/**
 * Brings in a batch of events in one transaction: one read of the events, one of what their
 * decisions depend on, the decisions, one write. A malformed event fails alone, and its failure is
 * recorded with the rest. Running it again, or twice at once, is harmless: events are held while
 * they are worked on and closed together with their effect.
 *
 * `contacts` holds what providers said of the customers of these events; null is none.
 */
export async function creditBatch(
  db: Db,
  ids: readonly EventId[],
  contacts: ReadonlyMap<EventId, Contacts | null>,
): Promise<BatchResult> {
  return db.transaction(async (tx) => {
    const result: BatchResult = { verdicts: [], needCustomer: [], failures: [] };
    const settled: Reading[] = [];
    const ignored: ingestion.Verdict[] = [];

    for (const event of await webhookEvents.hold(tx, ids)) {
      try {
        const payment = readPayment(event);
        const reason = ignoredBecause(payment);
        if (payment === null || reason !== null) ignored.push(ignore(event, reason));
        else if (isCustomerUnknown(payment, event, contacts)) result.needCustomer.push(event.id);
        else settled.push({ event, payment: withContacts(payment, contacts.get(event.id)) });
      } catch (error) {
        result.failures.push({ id: event.id, error: failureText(error) });
      }
    }

    await closeIgnored(tx, ignored, result);
    await creditSettled(tx, settled, result);
    await webhookEvents.recordFailures(tx, result.failures);
    return result;
  });
}

function readPayment(event: webhookEvents.OpenEvent): NormalizedPayment | null {
  if (event.provider === 'alpha') return readAlphaPayment(event.body);
  throw new InvalidPayload(`Nothing here reads events of ${event.provider}.`);
}

function ignoredBecause(payment: NormalizedPayment | null): string | null {
  if (payment === null) return 'not_a_payment';
  return payment.state === 'settled' ? null : 'not_settled';
}

function ignore(event: webhookEvents.OpenEvent, reason: string | null): ingestion.Verdict {
  return { eventId: event.id, outcome: 'ignored', reason, payment: null };
}

function isCustomerUnknown(
  payment: NormalizedPayment,
  event: webhookEvents.OpenEvent,
  contacts: ReadonlyMap<EventId, Contacts | null>,
): boolean {
  const hasContact = normaliseEmail(payment.email) !== null || payment.phone !== null;
  return !hasContact && payment.providerCustomerId !== null && !contacts.has(event.id);
}

function withContacts(
  payment: NormalizedPayment,
  contacts: Contacts | null | undefined,
): NormalizedPayment {
  return {
    ...payment,
    email: normaliseEmail(payment.email) ?? contacts?.email ?? null,
    phone: payment.phone ?? contacts?.phone ?? null,
  };
}

async function closeIgnored(
  tx: Tx,
  verdicts: ingestion.Verdict[],
  result: BatchResult,
): Promise<void> {
  if (verdicts.length === 0) return;
  await ingestion.write(tx, verdicts);
  result.verdicts.push(...verdicts);
}

async function creditSettled(tx: Tx, readings: Reading[], result: BatchResult): Promise<void> {
  let open = readings;
  for (let pass = 0; open.length > 0; pass++) {
    if (pass === MAX_PASSES) throw new Error(`${open.length} payments stay contended. Try again.`);

    const facts = await ingestion.readFacts(tx, open.map(questionOf));
    const { verdicts, owners, failures } = decideAll(open, facts);
    if (owners.length > 0) await wallets.ensure(tx, owners);
    const closed = new Set(await ingestion.write(tx, verdicts));

    result.verdicts.push(...verdicts.filter((verdict) => closed.has(verdict.eventId)));
    result.failures.push(...failures);
    const failed = new Set(failures.map((failure) => failure.id));
    open = open.filter(({ event }) => !closed.has(event.id) && !failed.has(event.id));
  }
}

function questionOf({ event, payment }: Reading): ingestion.Question {
  return {
    tenantId: event.tenantId,
    provider: payment.provider,
    providerPaymentId: payment.providerPaymentId,
    email: normaliseEmail(payment.email),
    phone: normalisePhone(payment.phone, event.tenantCountry),
  };
}

function decideAll(readings: readonly Reading[], facts: readonly ingestion.KnownFacts[]) {
  const verdicts: ingestion.Verdict[] = [];
  const owners: wallets.WalletOwner[] = [];
  const failures: webhookEvents.EventFailure[] = [];
  // The first of two reports of one payment in a batch decides; the other is its duplicate.
  const seen = new Set<string>();

  readings.forEach((reading, index) => {
    const known = facts[index];
    if (known === undefined) throw new Error('A payment came back without its facts.');
    const { event, payment } = reading;
    const key = JSON.stringify([event.tenantId, payment.provider, payment.providerPaymentId]);
    try {
      const decision = decide(payment, { ...known, isKnown: known.isKnown || seen.has(key) });
      seen.add(key);
      verdicts.push(verdictOf(reading, decision));
      if (decision.points > 0 && decision.userId !== null) {
        const hasWallet = known.ownersWithWallet.includes(decision.userId);
        if (!hasWallet) owners.push({ userId: decision.userId, tenantId: event.tenantId });
      }
    } catch (error) {
      failures.push({ id: event.id, error: failureText(error) });
    }
  });
  return { verdicts, owners, failures };
}

function verdictOf({ event, payment }: Reading, decision: Decision): ingestion.Verdict {
  const { outcome, reason, userId, ruleVersion, points, record } = decision;
  const verdict = { eventId: event.id, outcome, reason };
  if (outcome === 'duplicate') return { ...verdict, payment: null };
  return {
    ...verdict,
    payment: {
      ...payment,
      id: PaymentId.parse(randomUUID()),
      tenantId: event.tenantId,
      userId,
      ruleVersion,
      points,
      decision: record,
    },
  };
}

/** What may be stored of an error: messages of ours, but of a database's only its code. */
export function failureText(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const constraint = 'constraint' in error ? ` ${String(error.constraint)}` : '';
    return `Postgres refused it: ${error.code}${constraint}`;
  }
  return error instanceof Error ? `${error.name}: ${error.message}` : 'Unknown error';
}
