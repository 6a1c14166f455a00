import { announce } from '../../../db/changes/announce.ts';
import type { Db, Tx } from '../../../db/connection.ts';
import { isLockTimeout, isSecondPurchase, isTransientError } from '../../../db/errors.ts';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import { readExpired } from '../../../db/ledger/expired.ts';
import * as expiring from '../../../db/ledger/expiring.ts';
import * as ledger from '../../../db/ledger/postings.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import { limitLockWaits } from '../../../db/lock-waits.ts';
import { storeBatch } from '../../../db/payments/batch-write.ts';
import { type PaymentContacts, recordContacts } from '../../../db/payments/contacts.ts';
import * as debts from '../../../db/payments/debts.ts';
import * as paymentRevisions from '../../../db/payments/revisions.ts';
import type { WalletId } from '../../../domain/ids.ts';
import { NOTHING_EXPIRED, type WalletExpiry } from '../../../domain/revision.ts';
import { throwIfUnwell } from '../../isolate.ts';
import { safeErrorText } from '../../safe-error-text.ts';
import {
  bringsContact,
  type Contacts,
  fingerprintsOf,
  type NamedFacts,
  noteUnread,
  readContacts,
  readNamedFacts,
} from '../decide/contacts.ts';
import type { IngestPolicy } from '../decide/ingest-policy.ts';
import {
  changedBy,
  type Decided,
  type FinalOutcome,
  keyOf,
  type Outcome,
  type PaymentReport,
} from '../decide/payment-report.ts';
import { type EventReports, resultOfEvent } from '../events/event-result.ts';
import { type Changes, foldRevisions, newOwners, type Revisable } from './fold-revisions.ts';

/** Reports, and the webhook event that they are from, if any. */
export type ReportGroup = { reports: readonly PaymentReport[]; event?: EventReports };

type Item = { report: PaymentReport; event: EventReports | undefined };
type Outcomes = Map<PaymentReport, FinalOutcome>;

/** How many reports one transaction takes. More gain nothing and hold their locks for longer. */
const BATCH = 100;

/**
 * Takes the step that is left for reports that change a stored payment. It ends as if they had come
 * one after another, in this order, although many are taken at once. One that fails fails alone;
 * only trouble with the database itself is thrown. The transaction of the last report of an event
 * closes it: what changed a payment is never done without its event, so no later attempt finds a
 * mere duplicate.
 */
export async function reviseAll(
  db: Db,
  groups: readonly ReportGroup[],
  outcomes: ReadonlyMap<PaymentReport, Outcome>,
  policy: IngestPolicy,
): Promise<Outcomes> {
  const final: Outcomes = new Map();
  const open: Item[] = [];
  for (const { reports, event } of groups) {
    for (const report of reports) {
      const outcome = outcomes.get(report);
      if (outcome === undefined) throw new Error('A report of a payment was not decided.');
      if (outcome.kind === 'revise') open.push({ report, event });
      else final.set(report, outcome);
    }
  }
  // A batch that fails is halved until the report at fault is alone.
  let most = BATCH;
  while (open.length > 0) {
    const batch = open.splice(0, most);
    try {
      const revised = await revise(db, batch, final, policy);
      for (const [report, outcome] of revised) final.set(report, outcome);
      open.unshift(...batch.filter(({ report }) => !revised.has(report)));
      most = Math.min(BATCH, most * 2);
    } catch (error) {
      if (isTransientError(error)) throw error;
      const refused = await refusedOf(db, batch, error);
      for (const [report, outcome] of refused) final.set(report, outcome);
      open.unshift(...batch.filter(({ report }) => !refused.has(report)));
      if (refused.size === 0) most = Math.ceil(batch.length / 2);
    }
  }
  return final;
}

/** The outcomes of those of a failed batch that are at fault: none while it is large. */
async function refusedOf(db: Db, batch: readonly Item[], error: unknown): Promise<Outcomes> {
  const reports = batch.map(({ report }) => report);
  if (isLockTimeout(error)) {
    const held = await paymentRevisions.listHeld(db, reports.map(keyOf));
    const found = reports.filter((_, nth) => held.has(nth));
    const left = found.length === 0 && reports.length === 1 ? reports : found;
    return new Map(left.map((report) => [report, { kind: 'held' }]));
  }
  if (reports.length > 1) return new Map();
  await throwIfUnwell(db, error);
  return new Map(reports.map((one) => [one, { kind: 'failed', error: safeErrorText(error) }]));
}

/**
 * Applies a report to a stored payment, in a transaction of its own: gives an anonymous payment its
 * consumer and credits it, fits its points to what is refunded, or notes what is refunded. The
 * payment is locked and decided again first, so that the same report, applied twice or at the same
 * moment, changes it once.
 */
export async function revisePayment(
  db: Db,
  report: PaymentReport,
  policy: IngestPolicy,
): Promise<Decided> {
  const revised = await revise(db, [{ report, event: undefined }], new Map(), policy);
  const outcome = revised.get(report);
  if (outcome?.kind !== 'decided') throw new Error('A report of a payment was not decided.');
  return outcome;
}

/** Returns the outcomes of the reports that it took; those that are missing were deferred. */
async function revise(
  db: Db,
  items: readonly Item[],
  final: ReadonlyMap<PaymentReport, FinalOutcome>,
  policy: IngestPolicy,
): Promise<Outcomes> {
  // A payment may have changed before it was locked, or another sale been first: once, if ever.
  for (let attempt = 0; attempt < 2; attempt++) {
    const outcomes = await db
      .transaction(async (tx) => {
        await limitLockWaits(tx);
        return reviseLocked(tx, items, final, policy);
      })
      .catch((error: unknown) => {
        if (isSecondPurchase(error) && attempt === 0) return undefined;
        throw error;
      });
    if (outcomes === undefined) continue;
    announce(db, changedBy(outcomes.values()));
    return outcomes;
  }
  throw new Error('A payment got its wallet while a report changed it. Try again.');
}

/** Does it in the transaction; undefined when a payment has changed before it was locked. */
async function reviseLocked(
  tx: Tx,
  items: readonly Item[],
  final: ReadonlyMap<PaymentReport, FinalOutcome>,
  policy: IngestPolicy,
): Promise<Outcomes | undefined> {
  const events = new Map(items.flatMap(({ event }) => (event ? [[event.id, event]] : [])));
  // First of all locks, so that a batch that holds one is never waited for in vain.
  const open = await webhookEvents.lockAll(tx, [...events.keys()]);
  const outcomes: Outcomes = new Map();
  const reports: PaymentReport[] = [];
  for (const { report, event } of items) {
    if (event === undefined || open.has(event.id)) reports.push(report);
    else outcomes.set(report, { kind: 'closed_elsewhere' });
  }
  if (reports.length === 0) return outcomes;
  const named = await readContacts(tx, reports);
  const changes = await decideChanges(tx, named, policy);
  if (changes === undefined) return undefined;
  await write(tx, changes);
  for (const [report, decided] of changes.outcomes) outcomes.set(report, decided);
  await close(
    tx,
    [...open].flatMap((id) => events.get(id) ?? []),
    new Map([...final, ...outcomes]),
  );
  await noteUnread(tx, named);
  return outcomes;
}

async function decideChanges(
  tx: Tx,
  named: ReadonlyMap<PaymentReport, Contacts>,
  policy: IngestPolicy,
): Promise<(Changes & { contacts: PaymentContacts[] }) | undefined> {
  const { refunds } = policy;
  const facts = await readNamedFacts(tx, [...named.keys()], named);
  const found = [...facts].map(([report, its]): Revisable & { facts: NamedFacts } => {
    if (its.known === null) throw new Error('A payment that a report changes is not stored.');
    return { report, known: its.known, facts: its };
  });
  const owners = newOwners(found, refunds);
  if (owners.length > 0) await wallets.ensure(tx, owners);
  const walletIds = new Set(found.flatMap(({ known: { walletId } }) => walletId ?? []));
  const locked = await wallets.lockAll(tx, [...walletIds], owners);
  const payments = await paymentRevisions.lock(
    tx,
    found.map(({ known }) => known.id),
  );
  const items = found.flatMap((item) => {
    const known = payments.get(item.known.id);
    return known?.walletId === item.known.walletId ? [{ ...item, known }] : [];
  });
  if (items.length < found.length) return undefined;
  const contacts = items
    .filter(({ report, known, facts: { named: its } }) => bringsContact(report, its, known))
    .map(({ report, known, facts: its }) => ({
      paymentId: known.id,
      providerCustomerId: report.payment.providerCustomerId,
      ...fingerprintsOf(its.named, policy),
    }));
  const expired = await readExpiries(tx, items);
  const held = locked.map((wallet) => ({ ...wallet, expiry: expired.get(wallet.id) }));
  return { ...foldRevisions(items, held, refunds), contacts };
}

/** Reads what has expired of the wallets of tenants with a programme, for what refunds absorb. */
async function readExpiries(tx: Tx, items: readonly (Revisable & { facts: NamedFacts })[]) {
  const dated = items.filter(({ facts }) => facts.hasProgramme);
  const walletIds = [...new Set(dated.flatMap(({ known: { walletId } }) => walletId ?? []))];
  if (walletIds.length === 0) return new Map<WalletId, WalletExpiry>();
  const payments = dated.map(({ known }) => known.id);
  const expired = await readExpired(tx, walletIds, payments);
  return new Map(walletIds.map((id) => [id, expired.get(id) ?? NOTHING_EXPIRED]));
}

async function write(
  tx: Tx,
  { contacts, ...changes }: Changes & { contacts: PaymentContacts[] },
): Promise<void> {
  const { matches, entries, reversals, sums, payers, refilled } = changes;
  if (entries.length > 0) await ledger.post(tx, entries);
  await paymentRevisions.recordMatches(tx, matches);
  const settlements = [...reversals].map(([paymentId, its]) => ({ paymentId, reversals: its }));
  if (settlements.length > 0) await debts.record(tx, settlements);
  await paymentRevisions.recordRefunded(tx, sums);
  await recordContacts(tx, contacts);
  await debts.pay(tx, payers);
  await expiring.takePast(tx, refilled);
}

/** Closes the events of which no other report is still open. */
async function close(
  tx: Tx,
  events: readonly EventReports[],
  outcomes: ReadonlyMap<PaymentReport, FinalOutcome>,
): Promise<void> {
  const results = events.flatMap((event) => resultOfEvent(event, outcomes) ?? []);
  if (results.length > 0) await storeBatch(tx, [], results);
}
