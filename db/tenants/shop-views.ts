import type { TenantId } from '../../domain/ids.ts';
import { STORED_OUTCOMES } from '../../domain/outcomes.ts';
import type { Provider } from '../../domain/payment.ts';
import type { TenantStatus } from '../../domain/tenant-status.ts';
import type { Db } from '../connection.ts';
import type { ConnectionStatus } from '../connections/pos-connections.ts';
import * as statistics from './statistics.ts';

/** A shop as those who run the service look at it first. */
export type ShopView = {
  id: TenantId;
  name: string;
  country: string | null;
  status: TenantStatus;
  createdAt: Date;
  /** Whether a connection of it or an endpoint has to be seen to. Not of a suspended shop. */
  needsAttention: boolean;
  /** When a sale was stored, or an account was heard, whatever is the latest. */
  lastHeardAt: Date | null;
  connections: ShopConnection[];
  /** Sales of the last days that were credited, and by reason those that were not. */
  credited: number;
  notCredited: Readonly<Record<string, number>>;
  /** Events that have not reached an endpoint of the shop yet, and endpoints that were given up. */
  deliveriesWaiting: number;
  endpointsDisabled: number;
  consumerCount: number;
};

/** An account of a shop at a provider. */
export type ShopConnection = {
  provider: Provider;
  status: ConnectionStatus;
  needsReconnect: boolean;
  /** Whether it is active, and was not heard for longer than a weekend. */
  isSilent: boolean;
  /** When a webhook of it arrived, or a poll of it was answered, whatever is the latest. */
  lastHeardAt: Date | null;
};

/** Where a page starts: after a shop, among those that need attention or the others. */
export type ShopPosition = Pick<ShopView, 'id' | 'needsAttention'>;

type Page = {
  limit: number;
  after?: ShopPosition | undefined;
  /** A part of a name, in any case; empty for all. */
  named?: string | undefined;
  /** Sales of how many days are counted. */
  days: number;
};

/** Lists shops: those that need attention first, and of both kinds the newest first. */
export async function listShopViews(db: Db, page: Page): Promise<ShopView[]> {
  const { limit, after, named = '', days } = page;
  const conditions = [after !== undefined && IS_AFTER, named !== '' && IS_NAMED];
  const which = conditions.filter((one) => one !== false).join(' and ');
  const { rows } = await db.raw<{ rows: Omit<ShopView, 'consumerCount'>[] }>(
    listing(which === '' ? '' : `where ${which}`),
    {
      limit,
      after: after?.id ?? null,
      needsAttention: after?.needsAttention ?? null,
      named: named.toLowerCase(),
      days,
      outcomes: [...STORED_OUTCOMES],
    },
  );
  const ids = rows.map(({ id }) => id);
  const consumers = await statistics.countOf(db, 'wallets', ids);
  return rows.map((shop) => ({
    ...shop,
    connections: shop.connections.map((one) => ({
      ...one,
      lastHeardAt: one.lastHeardAt && new Date(one.lastHeardAt),
    })),
    consumerCount: consumers.get(shop.id) ?? 0,
  }));
}

const IS_AFTER = `(t.needs_attention, t.created_at, t.id) <
  (select :needsAttention::boolean, a.created_at, a.id from tenants a where a.id = :after)`;
/** There are few tenants beside what they hold: they are compared one by one. */
const IS_NAMED = 'strpos(lower(t.name), :named) > 0';

/** Accounts `a`, and when each was heard, whatever it was. */
const ACCOUNTS = `
  select a.*, greatest(e.received_at, o.last_polled_at) as heard_at
  from pos_connections a
  left join last_events e on e.tenant_id = a.tenant_id and e.provider = a.provider
  left join connection_polls o on o.connection_id = a.id`;
/** Of an account `c`, when it was heard as `heard_at`. */
const IS_SILENT = `c.status = 'active'
  and coalesce(c.heard_at, c.created_at) < now() - interval '3 days'`;
const NEEDS_RECONNECT = `c.status = 'active' and c.needs_reconnect_since is not null`;
const IS_GIVEN_UP = 'p.deleted_at is null and p.disabled_reason is not null';

// Who is in need is found among all accounts, and only a page of shops is looked at closely.
const listing = (which: string) => `
  with in_need as materialized (
    select c.tenant_id from (${ACCOUNTS}) c
    where (${NEEDS_RECONNECT}) or (${IS_SILENT})
    union
    select p.tenant_id from webhook_endpoints p where ${IS_GIVEN_UP}
  ),
  shops as materialized (
    select * from (
      select s.id, s.name, s.country, s.status, s.created_at,
        s.suspended_at is null and s.id in (select tenant_id from in_need) as needs_attention
      from tenants s
    ) t
    ${which}
    order by t.needs_attention desc, t.created_at desc, t.id desc
    limit :limit
  )
  select t.*, greatest(accounts.heard_at, newest.created_at) as last_heard_at,
    accounts.connections,
    coalesce(sales.credited, 0)::integer as credited,
    coalesce(sales.not_credited, '{}') as not_credited,
    (select count(*) from webhook_endpoints p
     join webhook_deliveries d on d.endpoint_id = p.id and d.status = 'pending'
     where p.tenant_id = t.id and p.deleted_at is null)::integer as deliveries_waiting,
    (select count(*) from webhook_endpoints p
     where p.tenant_id = t.id and ${IS_GIVEN_UP})::integer as endpoints_disabled
  from shops t
  left join lateral (
    select max(c.heard_at) as heard_at,
      coalesce(jsonb_agg(jsonb_build_object('provider', c.provider, 'status', c.status,
        'needsReconnect', ${NEEDS_RECONNECT}, 'isSilent', ${IS_SILENT},
        'lastHeardAt', c.heard_at) order by c.provider), '[]') as connections
    from (${ACCOUNTS} where a.tenant_id = t.id) c
  ) accounts on true
  left join lateral (
    select created_at from payments p where p.tenant_id = t.id
    order by p.created_at desc, p.id desc limit 1
  ) newest on true
  left join lateral (
    select sum(number) filter (where is_credited) as credited,
      jsonb_object_agg(why, number) filter (where not is_credited) as not_credited
    from (
      select outcome = 'credited' and points_awarded > 0 as is_credited,
        coalesce(outcome_reason, outcome) as why, count(*) as number
      from payments p where p.tenant_id = t.id and p.outcome = any(:outcomes)
        and p.occurred_at > now() - make_interval(days => :days)
      group by 1, 2
    ) counted
  ) sales on true
  order by t.needs_attention desc, t.created_at desc, t.id desc`;
