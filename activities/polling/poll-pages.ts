import * as pollPositions from '../../db/connections/poll-positions.ts';
import type { PosConnection } from '../../db/connections/pos-connections.ts';
import {
  afterPage,
  beginning,
  firstPosition,
  isStoppedAt,
  type ListedBy,
  mayStop,
  type Place,
  type Position,
  reachedTime,
  servingOrder,
  watermarkOf,
} from '../../domain/polling.ts';
import type { ListedPayment, PaymentPage } from '../../gateways/alpha/listing.ts';
import { ProviderError } from '../../gateways/provider/error.ts';
import { withAccessToken } from '../connections/access-tokens.ts';
import { isLimited, mayAsk } from '../connections/availability.ts';
import { ReconnectNeeded } from '../connections/token-refresh.ts';
import type { IngestionDeps } from '../ingestion/index.ts';
import { ingestListedPayments } from '../ingestion/ingest-payments.ts';
import { type FailedListing, recordFailedPayments } from '../ingestion/record-failed-payments.ts';
import { resolveCustomers } from '../ingestion/resolve-customers.ts';
import { safeErrorText } from '../safe-error-text.ts';
import { CustomersUnavailable, LeaseLost, Paused } from './poll-errors.ts';

/** The inputs and the progress of one polling run. */
export type PollRun = {
  readonly deps: IngestionDeps;
  readonly lease: pollPositions.Lease;
  readonly taken: pollPositions.LeasedConnection;
  readonly signal: AbortSignal;
  readonly maxPages: number;
  readonly progress: RunProgress;
  /** Reports the progress, also as a sign of life. */
  readonly heartbeat: () => void;
};

/** What a run has done so far. Only `ingestPages` changes it. */
export type RunProgress = {
  payments: number;
  pages: number;
  errors: number;
  /** The last stored position, in a form that a heartbeat can carry. */
  at: { locationId: string | null; updatedAt: string | null; id: string | null };
  /** A problem that did not end the run, in words; null without one. */
  trouble: string | null;
};

type Location = {
  readonly id: string;
  /** The stored position. */
  position: Position;
  /** The position of the present listing, which may start below the stored one. */
  scan: Position;
  /** Where the listing starts, and the cursor of its next page. */
  from: Date;
  cursor: string | null;
};

type Account = {
  readonly locations: readonly Location[];
  /** The latest provider time that was known when the run started. */
  readonly reached: Date;
  listedBy: ListedBy;
};

/**
 * Ingests pages of all the connection's locations in turn, until each reached its end or the run
 * has used up its pages; more only where it could not continue there (`mayStop`). A page's position
 * is stored only after the page was ingested. Throws what ends the run: ProviderError,
 * InvalidPayload, ReconnectNeeded, CustomersUnavailable, Paused, LeaseLost.
 */
export async function ingestPages(run: PollRun): Promise<'done' | 'capped'> {
  const account = await openAccount(run);
  const waiting = [...account.locations];
  let isCapped = false;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { cursor, from, scan } = next;
    const isFull = run.progress.pages >= run.maxPages;
    if (isFull && (cursor === null || mayStop(from, scan))) isCapped = true;
    else if (!(await ingestPage(run, next, account))) waiting.push(next);
  }
  return isCapped ? 'capped' : 'done';
}

async function openAccount(run: PollRun): Promise<Account> {
  const { connection } = await extendLease(run);
  const answering = await mayAsk(run.deps, connection, run.signal);
  if (!answering.answers && connection.needsReconnectSince === null) {
    // Only a merchant who must reconnect is never asked again.
    if (!Number.isFinite(answering.waitMs)) throw new ReconnectNeeded('alpha');
    throw new Paused(answering.error, answering.waitMs);
  }
  const ids = await withAccessToken(run.deps, connection, (token) =>
    run.deps.alpha.listLocations(token, run.signal),
  );
  const stored = await pollPositions.list(run.deps.db, run.lease.connectionId);
  const known = new Map(stored.map((position) => [position.locationId, position]));
  const { watermark } = run.taken;
  const listedBy = 'updated_at';
  const locations = servingOrder(ids, (id) => known.get(id)?.polledAt).map((id) => {
    const { at, paymentId, isAtEnd } = known.get(id) ?? firstPosition(watermark);
    const position = { at, paymentId, isAtEnd };
    return { id, position, ...listingFrom(position, run, listedBy) };
  });
  return { reached: reachedTime(watermark, stored), locations, listedBy };
}

async function extendLease(run: PollRun): Promise<pollPositions.RenewedLease> {
  run.signal.throwIfAborted();
  const kept = await pollPositions.renewLease(run.deps.db, run.lease);
  if (kept === undefined) throw new LeaseLost();
  return kept;
}

/** Where a listing of a location starts. */
function listingFrom(position: Position, { taken }: PollRun, listedBy: ListedBy) {
  const scan = beginning(position, taken.polledFrom, listedBy);
  return { scan, from: scan.at, cursor: null };
}

/** Ingests the next page of a location and returns whether that was its last. */
async function ingestPage(run: PollRun, location: Location, account: Account): Promise<boolean> {
  const { connection, now } = await extendLease(run);
  const page = await fetchPage(run, location, { account, connection });
  run.progress.pages += 1;
  if (page === null) return false;
  const items = page.payments.filter((item) => !isStoppedAt(location.scan, placeOf(item)));
  await ingestItems(run, connection, items);

  const isLast = page.cursor === null;
  const last = page.payments.map(placeOf).findLast(isDated) ?? null;
  location.scan = afterPage(location.scan, { last, isLast }, { reached: account.reached, now });
  location.position = location.scan;
  location.cursor = page.cursor;
  await storePosition(run, location, { account, now });
  return isLast;
}

/** Fetches the next page; null when its cursor is no longer valid and the listing starts again. */
async function fetchPage(
  run: PollRun,
  location: Location,
  { account, connection }: { account: Account; connection: PosConnection },
): Promise<PaymentPage | null> {
  try {
    return await listPage(run, location, { account, connection });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.code === 'INVALID_CURSOR' && location.cursor !== null) {
      location.from = location.scan.at;
      location.cursor = null;
      return null;
    }
    if (error.code !== 'UNKNOWN_QUERY_PARAMETER' || account.listedBy === 'created_at') throw error;
    // Older versions of the provider's API list by the time of creation only.
    account.listedBy = 'created_at';
    for (const each of account.locations) {
      Object.assign(each, listingFrom(each.position, run, account.listedBy));
    }
    return listPage(run, location, { account, connection });
  }
}

function listPage(
  run: PollRun,
  { id: locationId, from, cursor }: Location,
  { account, connection }: { account: Account; connection: PosConnection },
): Promise<PaymentPage> {
  const listing = { locationId, from, cursor, listedBy: account.listedBy };
  return withAccessToken(run.deps, connection, (token) =>
    run.deps.alpha.listPayments(token, listing, run.signal),
  );
}

async function ingestItems(
  run: PollRun,
  connection: PosConnection,
  items: readonly ListedPayment[],
): Promise<void> {
  const { progress, taken, deps } = run;
  const unreadable: FailedListing[] = [];
  for (const item of items) {
    if ('payment' in item) continue;
    progress.errors += 1;
    progress.trouble = `Payment ${item.id ?? 'without id'} cannot be read. ${item.error}`;
    if (item.id === null) continue;
    unreadable.push({ providerPaymentId: item.id, changedAt: item.at, error: item.error });
  }
  await recordFailedPayments(deps.db, taken.tenantId, unreadable);
  const payments = items.flatMap((item) => ('payment' in item ? [item.payment] : []));
  const unsettled = payments.filter(({ state }) => state !== 'settled');
  const settled = payments.filter(({ state }) => state === 'settled');
  const resolved = await resolveCustomers(deps, connection, settled, run.signal);

  const { tenantId, tenantCountry } = taken;
  const reports = [...resolved.payments, ...unsettled].map((payment) => ({
    tenantId,
    tenantCountry,
    payment,
  }));
  const { db, ingestPolicy, metrics } = deps;
  const { failed } = await ingestListedPayments(db, reports, ingestPolicy, metrics);
  const { unresolved, cause } = resolved;
  // The page is listed again, and its payments are counted then.
  if (isLimited(cause)) throw new CustomersUnavailable(unresolved.length, cause);
  // Alpha has just listed them, so it is these customers that it cannot read: no other sale waits.
  const error = safeErrorText(cause);
  await recordFailedPayments(
    db,
    tenantId,
    unresolved.map(({ providerPaymentId, changedAt }) => ({ providerPaymentId, changedAt, error })),
  );
  const left = failed + unresolved.length;
  progress.payments += reports.length - failed;
  progress.errors += left;
  if (left > 0) progress.trouble = `${left} payments could not be ingested.`;
}

async function storePosition(
  run: PollRun,
  { id: locationId, position }: Location,
  { account, now }: { account: Account; now: Date },
): Promise<void> {
  const positions = account.locations.map((location) => location.position);
  const watermark = watermarkOf(run.taken.watermark, positions, now);
  const isStored = await pollPositions.save(run.deps.db, run.lease, {
    locationId,
    position,
    watermark,
  });
  if (!isStored) throw new LeaseLost();
  const { at, paymentId: id } = position;
  run.progress.at = { locationId, updatedAt: at.toISOString(), id };
  run.heartbeat();
}

type MaybeDated = Omit<Place, 'at'> & { at: Date | null };

function placeOf(item: ListedPayment): MaybeDated {
  const paymentId = 'payment' in item ? item.payment.providerPaymentId : item.id;
  return { at: item.at, paymentId };
}

function isDated(place: MaybeDated): place is Place {
  return place.at !== null;
}
