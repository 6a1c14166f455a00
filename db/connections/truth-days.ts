import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import { type Day, type Span, spanOfDay } from '../../domain/intervals.ts';
import { STORED_OUTCOMES } from '../../domain/outcomes.ts';
import type { Provider } from '../../domain/payment.ts';
import { timeZoneOf } from '../../domain/time-zones.ts';
import type { ComparedSale, DaysOfConnection, DayTotals, TruthStatus } from '../../domain/truth.ts';
import type { Db } from '../connection.ts';
import { isActive } from '../tenants/is-active.ts';
import { CONNECTION } from './poll-leases.ts';
import type { PosConnection } from './pos-connections.ts';
import { connectedSince, earnsFrom } from './tenures.ts';

// What came of comparing the days of connections with their providers' own lists.

/** A connection whose days are compared, and how far they have come. */
export type WatchedConnection = DaysOfConnection & {
  connectionId: ConnectionId;
  tenantId: TenantId;
  /** Whether its provider answers, as far as is known. */
  mayBeAsked: boolean;
};

type WatchedRow = Omit<WatchedConnection, 'known' | 'timeZone'> & {
  known: Record<Day, string>;
  timeZone: string | null;
  country: string | null;
};

/**
 * Lists active connections of shops that are not suspended with the days of the last ten that are
 * done, in the order of their ids, starting after `after`.
 */
export async function listWatched(
  db: Db,
  { after, limit }: { after: ConnectionId | null; limit: number },
): Promise<WatchedConnection[]> {
  const { rows } = await db.raw<{ rows: WatchedRow[] }>(
    `select c.id as connection_id, c.tenant_id, t.time_zone, t.country, a.earns_from,
       c.needs_reconnect_since is null and coalesce(c.ask_again_at <= now(), true)
         as may_be_asked,
       (select coalesce(jsonb_object_agg(day::text, checked_at), '{}') from truth_days
         where connection_id = c.id and day > current_date - 10) as known
     from pos_connections c join tenants t on t.id = c.tenant_id
     cross join lateral (select ${earnsFrom('c')} as earns_from) a
     where c.status = 'active' and ${isActive('c.tenant_id')} and a.earns_from is not null
       and (:after::uuid is null or c.id > :after::uuid)
     order by c.id limit :limit`,
    { after, limit },
  );
  const now = new Date();
  return rows.map(({ known, timeZone, country, ...row }) => {
    const zone = timeZoneOf({ timeZone, country }, now) ?? 'UTC';
    // One that was compared before it had ended is compared again.
    const whole = Object.entries(known).filter(
      ([day, at]) => new Date(at) >= spanOfDay(day, zone).to,
    );
    return { ...row, timeZone: zone, known: new Set(whole.map(([day]) => day)) };
  });
}

/** What is needed to compare a day of an active connection. */
export type ComparedConnection = {
  connection: PosConnection;
  earnsFrom: Date;
  /** When it was made: what was sold before may be of another account of the tenant. */
  connectedSince: Date;
  timeZone: string;
  currency: string | null;
};

type ComparedRow = PosConnection & {
  earnsFrom: Date | null;
  connectedSince: Date;
  timeZone: string | null;
  country: string | null;
  currency: string | null;
};

/** Finds an active connection; undefined where there is none any more. */
export async function findCompared(
  db: Db,
  connectionId: ConnectionId,
): Promise<ComparedConnection | undefined> {
  const { rows } = await db.raw<{ rows: ComparedRow[] }>(
    `select ${CONNECTION}, ${earnsFrom('c')} as earns_from,
       ${connectedSince('c')} as connected_since, t.time_zone, t.country, t.currency
     from pos_connections c join tenants t on t.id = c.tenant_id
     where c.id = :connectionId and c.status = 'active'`,
    { connectionId },
  );
  const [row] = rows;
  if (row === undefined || row.earnsFrom === null) return undefined;
  const { earnsFrom: since, connectedSince: made, timeZone, country, currency, ...its } = row;
  const zone = timeZoneOf({ timeZone, country }, new Date()) ?? 'UTC';
  return { connection: its, earnsFrom: since, connectedSince: made, timeZone: zone, currency };
}

type Owned = { tenantId: TenantId; provider: Provider };
const COMPARED = `provider_payment_id as id, amount_minor_units, refunded_minor_units, currency`;

/**
 * Returns the provider of a tenant's connection, where `status` is given of one of that status;
 * undefined if there is none.
 */
export async function findProvider(
  db: Db,
  tenantId: TenantId,
  id: ConnectionId,
  status?: PosConnection['status'],
): Promise<Provider | undefined> {
  const row = await db('pos_connections')
    .where({ tenantId, id, ...(status === undefined ? {} : { status }) })
    .first<{ provider: Provider } | undefined>('provider');
  return row?.provider;
}

/** Reads those of the sales that are known, by the provider's ids. */
export async function readSales(
  db: Db,
  { tenantId, provider }: Owned,
  ids: readonly string[],
): Promise<ComparedSale[]> {
  const { rows } = await db.raw<{ rows: ComparedSale[] }>(
    `select ${COMPARED} from payments
     where tenant_id = :tenantId and provider = :provider and provider_payment_id = any(:ids)`,
    { tenantId, provider, ids: [...ids] },
  );
  return rows;
}

/** Reads the sales that are known of a span. */
export async function readSalesOfSpan(
  db: Db,
  { tenantId, provider }: Owned,
  { from, to }: Span,
): Promise<ComparedSale[]> {
  const { rows } = await db.raw<{ rows: ComparedSale[] }>(
    `select ${COMPARED}
     from unnest(:outcomes::text[]) as o (outcome)
     cross join lateral (
       select * from payments where tenant_id = :tenantId and outcome = o.outcome
         and occurred_at >= :from and occurred_at < :to
     ) p
     where provider = :provider`,
    { tenantId, provider, from, to, outcomes: STORED_OUTCOMES },
  );
  return rows;
}

/** A day of a connection, as it is stored. */
export type TruthDay = {
  day: Day;
  status: TruthStatus;
  provider: DayTotals;
  ours: DayTotals;
  missing: number;
  changed: number;
  unknown: number;
  repaired: number;
  checkedAt: Date;
};

type DayOf = { connectionId: ConnectionId; tenantId: TenantId; day: Day };
export type FoundDay = Omit<TruthDay, 'day' | 'checkedAt'>;

/**
 * Stores what a comparison found. Of a day that was compared before, the greatest counts stay, and
 * so does that it was repaired.
 */
export async function saveDay(db: Db, of: DayOf, found: FoundDay): Promise<void> {
  const { provider, ours, ...counts } = found;
  await db.raw(
    `insert into truth_days as d (connection_id, tenant_id, day, status, provider_count,
       provider_amount_minor_units, provider_refunded_minor_units, our_count,
       our_amount_minor_units, our_refunded_minor_units, missing, changed, unknown, repaired)
     values (:connectionId, :tenantId, :day, :status, :providerCount, :providerAmount,
       :providerRefunded, :ourCount, :ourAmount, :ourRefunded, :missing, :changed, :unknown,
       :repaired)
     on conflict on constraint truth_days_once_per_day do update set
       status = case
         when excluded.status = 'agrees' and d.missing + d.changed + d.unknown > 0 then 'repaired'
         else excluded.status end,
       provider_count = excluded.provider_count,
       provider_amount_minor_units = excluded.provider_amount_minor_units,
       provider_refunded_minor_units = excluded.provider_refunded_minor_units,
       our_count = excluded.our_count, our_amount_minor_units = excluded.our_amount_minor_units,
       our_refunded_minor_units = excluded.our_refunded_minor_units,
       missing = greatest(d.missing, excluded.missing),
       changed = greatest(d.changed, excluded.changed),
       unknown = greatest(d.unknown, excluded.unknown),
       repaired = greatest(d.repaired, excluded.repaired), checked_at = now()`,
    {
      ...of,
      ...counts,
      providerCount: provider.count,
      providerAmount: provider.amountMinorUnits,
      providerRefunded: provider.refundedMinorUnits,
      ourCount: ours.count,
      ourAmount: ours.amountMinorUnits,
      ourRefunded: ours.refundedMinorUnits,
    },
  );
}

/** A day that cannot be compared, and when it ends. */
export type LostDay = DayOf & { endsAt: Date };

/** Stores that days could not be compared, unless they were after all, since they have ended. */
export async function giveUp(db: Db, days: readonly LostDay[]): Promise<void> {
  if (days.length === 0) return;
  await db.raw(
    `with lost as (
       select * from unnest(:connectionIds::uuid[], :tenantIds::uuid[], :days::date[],
         :ends::timestamptz[]) as l(connection_id, tenant_id, day, ends_at)
     )
     insert into truth_days as d (connection_id, tenant_id, day, status)
     select connection_id, tenant_id, day, 'unavailable' from lost
     on conflict on constraint truth_days_once_per_day do update
     set status = 'unavailable', checked_at = now()
     where d.checked_at < (
       select ends_at from lost l where l.connection_id = d.connection_id and l.day = d.day)`,
    {
      connectionIds: days.map(({ connectionId }) => connectionId),
      tenantIds: days.map(({ tenantId }) => tenantId),
      days: days.map(({ day }) => day),
      ends: days.map(({ endsAt }) => endsAt.toISOString()),
    },
  );
}

/** Lists the days of a connection, both ends included, in their order. */
export async function listDays(
  db: Db,
  connectionId: ConnectionId,
  { from, to }: { from: Day; to: Day },
): Promise<TruthDay[]> {
  const { rows } = await db.raw<{ rows: TruthDay[] }>(
    `select day::text, status, missing, changed, unknown, repaired, checked_at,
       jsonb_build_object('count', provider_count,
         'amountMinorUnits', provider_amount_minor_units,
         'refundedMinorUnits', provider_refunded_minor_units) as provider,
       jsonb_build_object('count', our_count, 'amountMinorUnits', our_amount_minor_units,
         'refundedMinorUnits', our_refunded_minor_units) as ours
     from truth_days
     where connection_id = :connectionId and day between :from::date and :to::date
     order by day`,
    { connectionId, from, to },
  );
  return rows;
}

const KEPT_DAYS = 400;

/** Deletes up to so many days older than 400 days, and returns how many. */
export async function deleteOld(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.raw<{ rowCount: number }>(
    `delete from truth_days where ctid = any(array(
       select ctid from truth_days where day < current_date - ${KEPT_DAYS} limit :limit))`,
    { limit },
  );
  return rowCount;
}
