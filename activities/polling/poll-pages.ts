import * as accounts from '../../db/connections/accounts.ts';
import * as pollLeases from '../../db/connections/poll-leases.ts';
import * as pollPositions from '../../db/connections/poll-positions.ts';
import type { PosConnection } from '../../db/connections/pos-connections.ts';
import {
  afterPage,
  beginning,
  firstPosition,
  isSamePosition,
  isStoppedAt,
  type ListedBy,
  mayStop,
  type Place,
  type Position,
  reachedTime,
  servingOrder,
  watermarkOf,
} from '../../domain/polling.ts';
import { pollingOf, providers } from '../../gateways/providers/index.ts';
import type { ListedPayment, PaymentPage } from '../../gateways/providers/provider.ts';
import { ProviderError } from '../../gateways/providers/shared/error.ts';
import { withAccessToken } from '../connections/access-tokens.ts';
import { mayAsk } from '../connections/availability.ts';
import { ReconnectNeeded } from '../connections/token-refresh.ts';
import { ingestPageOf } from './ingest-page.ts';
import { LeaseLost, Paused } from './poll-errors.ts';
import type { PollRun } from './poll-run.ts';

type Location = {
  readonly id: string;
  /** The stored position; `isStored` is false before the first page of a new location. */
  position: Position;
  isStored: boolean;
  /** When it was last polled, by this run or before; undefined if it never was. */
  polledAt: Date | undefined;
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
 * How many times its pages a run goes on where it could not continue. A provider whose pages lead
 * nowhere is not read for ever.
 */
const STUCK_AFTER = 10;
const STUCK = 'The provider lists more payments of one time than one poll reads.';

/**
 * Ingests pages of all the connection's locations in turn, until each reached its end or the run
 * has used up its pages; more only where the next run would come no further (`mayStop`), and then
 * ten times as many at most. More locations than pages take several runs, of which the last one is
 * done. A page's position is stored only after the page was ingested. Throws what ends the run:
 * ProviderError, InvalidPayload, ReconnectNeeded, CustomersUnavailable, Paused, LeaseLost.
 */
export async function ingestPages(run: PollRun): Promise<'done' | 'capped'> {
  const account = await openAccount(run);
  const waiting = [...account.locations];
  let isCapped = false;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { cursor, from, scan } = next;
    const { progress, maxPages } = run;
    const isFull = progress.pages >= maxPages;
    const isStuck = progress.pages >= STUCK_AFTER * maxPages;
    if (isStuck) progress.trouble = STUCK;
    if (isStuck || (isFull && (cursor === null || mayStop(from, scan)))) isCapped = true;
    else if (!(await ingestPage(run, next, account))) waiting.push(next);
  }
  return isCapped && !isRound(run, account) ? 'capped' : 'done';
}

/** Whether each location reached its end since the last poll that came to its end. */
function isRound({ taken: { lastPolledAt } }: PollRun, { locations }: Account): boolean {
  return locations.every(
    ({ position, polledAt }) =>
      position.isAtEnd && polledAt !== undefined && polledAt > (lastPolledAt ?? 0),
  );
}

async function openAccount(run: PollRun): Promise<Account> {
  run.signal.throwIfAborted();
  const { connection } = run.taken;
  const answering = await mayAsk(run.deps, connection, run.signal);
  if (!answering.answers && connection.needsReconnectSince === null) {
    // Only a merchant who must reconnect is never asked again.
    if (!Number.isFinite(answering.waitMs)) throw new ReconnectNeeded(connection.provider);
    throw new Paused(answering.error, answering.waitMs);
  }
  const found = await withAccessToken(run.deps, connection, (token) =>
    pollingOf(run.deps.providers, connection.provider).listLocations(token, run.signal),
  );
  await accounts.noteCountries(run.deps.db, connection.id, found);
  const stored = await pollPositions.list(run.deps.db, run.lease.connectionId);
  const known = new Map(stored.map((position) => [position.locationId, position]));
  const { watermark } = run.taken;
  const listedBy = 'updated_at';
  const ids = found.map(({ id }) => id);
  const locations = servingOrder(ids, (id) => known.get(id)?.polledAt).map((id) => {
    const { at, paymentId, isAtEnd } = known.get(id) ?? firstPosition(watermark);
    const position = { at, paymentId, isAtEnd };
    const before = { isStored: known.has(id), polledAt: known.get(id)?.polledAt };
    return { id, position, ...before, ...listingFrom(position, run, listedBy) };
  });
  return { reached: reachedTime(watermark, stored), locations, listedBy };
}

async function extendLease(run: PollRun): Promise<pollLeases.RenewedLease> {
  run.signal.throwIfAborted();
  const kept = await pollLeases.renewLease(run.deps.db, run.lease);
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
  await ingestPageOf(run, items, { connection, now, since: location.position.at });

  const isLast = page.cursor === null;
  const last = page.payments.map(placeOf).findLast(isDated) ?? null;
  location.scan = afterPage(location.scan, { last, isLast }, { reached: account.reached, now });
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
    const { errors } = providers[connection.provider].polling ?? {};
    if (!(error instanceof ProviderError)) throw error;
    if (error.code === errors?.staleCursor && location.cursor !== null) {
      location.from = location.scan.at;
      location.cursor = null;
      return null;
    }
    if (error.code !== errors?.unknownOrder || account.listedBy === 'created_at') throw error;
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
    pollingOf(run.deps.providers, connection.provider).listPayments(token, listing, run.signal),
  );
}

async function storePosition(
  run: PollRun,
  location: Location,
  { account, now }: { account: Account; now: Date },
): Promise<void> {
  const { id: locationId, scan: position, isStored } = location;
  const isSame = isStored && isSamePosition(location.position, position);
  location.position = position;
  location.polledAt = now;
  const positions = account.locations.map((each) => each.position);
  const watermark = watermarkOf(run.taken.watermark, positions, now);
  // The time of a position only matters where a run does not reach all locations.
  const mustBeStored = !isSame || watermark > run.taken.watermark || isSplit(account, run);
  if (mustBeStored) {
    const kept = { locationId, position, watermark };
    if (!(await pollPositions.save(run.deps.db, run.lease, kept))) throw new LeaseLost();
    location.isStored = true;
  }
  const { at, paymentId: id } = position;
  run.progress.at = { locationId, updatedAt: at.toISOString(), id };
  run.heartbeat();
}

function isSplit({ locations }: Account, { maxPages }: PollRun): boolean {
  return locations.length > maxPages;
}

type MaybeDated = Omit<Place, 'at'> & { at: Date | null };

function placeOf(item: ListedPayment): MaybeDated {
  const paymentId = 'payment' in item ? item.payment.providerPaymentId : item.id;
  return { at: item.at, paymentId };
}

function isDated(place: MaybeDated): place is Place {
  return place.at !== null;
}
