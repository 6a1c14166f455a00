import * as pollPositions from '../../db/connections/poll-positions.ts';
import type { PosConnection } from '../../db/connections/pos-connections.ts';
import {
  afterPage,
  beginning,
  firstPosition,
  isStoppedAt,
  type ListedBy,
  type Place,
  type Position,
  reachedTime,
  servingOrder,
  watermarkOf,
} from '../../domain/polling.ts';
import type { ListedPayment, PaymentPage } from '../../gateways/alpha/listing.ts';
import { ProviderError } from '../../gateways/provider/error.ts';
import { withAccessToken } from '../connections/access-tokens.ts';
import { resolveCustomers } from '../ingestion/fetch-reports.ts';
import type { IngestionDeps } from '../ingestion/index.ts';
import { ingestListedPayments } from '../ingestion/ingest-payments.ts';

/** A run of polling, as far as it has come. */
export type PollRun = {
  readonly deps: IngestionDeps;
  readonly lease: pollPositions.Lease;
  readonly taken: pollPositions.Taken;
  readonly signal: AbortSignal;
  /** Gives a sign of life. */
  readonly beat: () => void;
  readonly maxPages: number;
  payments: number;
  pages: number;
  errors: number;
  listedBy: ListedBy;
  /** The place up to which the last page was brought in. */
  at: { locationId: string | null; updatedAt: string | null; id: string | null };
  /** What went wrong without ending the run, in words; null when nothing did. */
  trouble: string | null;
};

/** Another run has the connection by now, or its merchant has disconnected. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  readonly isTransient = true;
}

/** Customers of a page could not be had for the moment, so the page has to be met again. */
export class CustomersUnavailable extends Error {
  override readonly name = 'CustomersAway';
  readonly isTransient = true;

  constructor(count: number) {
    super(`alpha does not say for now who the customers of ${count} payments are.`);
  }
}

type Location = {
  readonly id: string;
  /** How far it was brought in, as it is kept. */
  position: Position;
  /** How far its present listing is. */
  scan: Position;
  /** Where that has begun, and where it goes on. */
  from: Date;
  cursor: string | null;
};

/** All locations of the connection, and the latest time known of the provider when it was asked. */
type Account = { locations: Location[]; reached: Date };

/**
 * Brings in pages of all the connection's locations in turn, until each is at its end or the run
 * has used its pages up. A page's position is kept only once the page is brought in. Throws what
 * ends the run: ProviderError, InvalidPayload, ReconnectNeeded, CustomersAway, LeaseLost.
 */
export async function ingestPages(run: PollRun): Promise<'done' | 'capped'> {
  const account = await openAccount(run);
  const waiting = [...account.locations];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (run.pages >= run.maxPages) return 'capped';
    const isAtEnd = await bringInPage(run, next, account);
    if (!isAtEnd) waiting.push(next);
  }
  return 'done';
}

async function openAccount(run: PollRun): Promise<Account> {
  const { connection } = await keep(run);
  const ids = await withAccessToken(run.deps, connection, (token) =>
    run.deps.alpha.listLocations(token, run.signal),
  );
  const stored = await pollPositions.list(run.deps.db, run.lease.connectionId);
  const known = new Map(stored.map((position) => [position.locationId, position]));
  const { watermark } = run.taken;
  return {
    reached: reachedTime(watermark, stored),
    locations: servingOrder(ids, (id) => known.get(id)?.polledAt).map((id) =>
      begun(run, id, known.get(id) ?? firstPosition(watermark)),
    ),
  };
}

async function keep(run: PollRun): Promise<pollPositions.Kept> {
  run.signal.throwIfAborted();
  const kept = await pollPositions.keepLease(run.deps.db, run.lease);
  if (kept === undefined) throw new LeaseLost();
  return kept;
}

function begun(run: PollRun, id: string, { at, paymentId, isAtEnd }: Position): Location {
  const position = { at, paymentId, isAtEnd };
  const scan = beginning(position, run.taken.polledFrom, run.listedBy);
  return { id, position, scan, from: scan.at, cursor: null };
}

/** Brings in the next page of a location and says whether that was its last. */
async function bringInPage(run: PollRun, location: Location, account: Account): Promise<boolean> {
  const { connection, now } = await keep(run);
  const page = await nextPage(run, location, { account, connection });
  run.pages += 1;
  if (page === null) return false;
  const news = page.payments.filter((item) => !isStoppedAt(location.scan, placeOf(item)));
  await bringIn(run, connection, news);

  const isLast = page.cursor === null;
  const last = page.payments.map(placeOf).findLast(isDated) ?? null;
  location.scan = afterPage(location.scan, { last, isLast }, { reached: account.reached, now });
  location.position = location.scan;
  location.cursor = page.cursor;
  await keepPosition(run, location, { account, now });
  return isLast;
}

/** The next page; null when its cursor is no good any more and the listing has to begin anew. */
async function nextPage(
  run: PollRun,
  location: Location,
  { account, connection }: { account: Account; connection: PosConnection },
): Promise<PaymentPage | null> {
  try {
    return await listed(run, location, connection);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.code === 'INVALID_CURSOR' && location.cursor !== null) {
      location.from = location.scan.at;
      location.cursor = null;
      return null;
    }
    if (error.code !== 'UNKNOWN_QUERY_PARAMETER' || run.listedBy === 'created_at') throw error;
    // An older version of the provider's interface, which lists by the time of creation only.
    run.listedBy = 'created_at';
    for (const each of account.locations) Object.assign(each, begun(run, each.id, each.position));
    return listed(run, location, connection);
  }
}

function listed(
  run: PollRun,
  { id: locationId, from, cursor }: Location,
  connection: PosConnection,
): Promise<PaymentPage> {
  const listing = { locationId, from, cursor, listedBy: run.listedBy };
  return withAccessToken(run.deps, connection, (token) =>
    run.deps.alpha.listPayments(token, listing, run.signal),
  );
}

async function bringIn(
  run: PollRun,
  connection: PosConnection,
  items: readonly ListedPayment[],
): Promise<void> {
  for (const item of items) {
    if ('payment' in item) continue;
    run.errors += 1;
    run.trouble = `Payment ${item.id ?? 'without id'} cannot be read. ${item.error}`;
  }
  const payments = items.flatMap((item) => ('payment' in item ? [item.payment] : []));
  const unsettled = payments.filter(({ state }) => state !== 'settled');
  const settled = payments.filter(({ state }) => state === 'settled');
  const resolved = await resolveCustomers(run.deps, connection, settled);

  const { tenantId, tenantCountry } = run.taken;
  const reports = [...resolved.payments, ...unsettled].map((payment) => ({
    tenantId,
    tenantCountry,
    payment,
  }));
  const { db, ingestPolicy, metrics } = run.deps;
  const { failed } = await ingestListedPayments(db, reports, ingestPolicy, metrics);
  // Met again with the others of its page, each is counted then.
  if (resolved.unresolved > 0) throw new CustomersUnavailable(resolved.unresolved);
  run.payments += reports.length - failed;
  run.errors += failed;
  if (failed > 0) run.trouble = `${failed} payments could not be brought in.`;
}

async function keepPosition(
  run: PollRun,
  { id: locationId, position }: Location,
  { account, now }: { account: Account; now: Date },
): Promise<void> {
  const positions = account.locations.map((location) => location.position);
  const watermark = watermarkOf(run.taken.watermark, positions, now);
  const isKept = await pollPositions.save(run.deps.db, run.lease, {
    locationId,
    position,
    watermark,
  });
  if (!isKept) throw new LeaseLost();
  run.at = { locationId, updatedAt: position.at.toISOString(), id: position.paymentId };
  run.beat();
}

type MaybeDated = Omit<Place, 'at'> & { at: Date | null };

function placeOf(item: ListedPayment): MaybeDated {
  const paymentId = 'payment' in item ? item.payment.providerPaymentId : item.id;
  return { at: item.at, paymentId };
}

function isDated(place: MaybeDated): place is Place {
  return place.at !== null;
}
