import type { ConnectionId, TenantId } from '../../domain/ids.ts';
import type { Span } from '../../domain/intervals.ts';
import { type Provider, UNPOLLED_PROVIDERS } from '../../domain/payment.ts';
import { INTERVAL_STEPS } from '../../domain/poll-cadence.ts';
import type { Db } from '../connection.ts';
import { noteAll } from '../due-work.ts';
import { lastSale } from '../payments/last-sales.ts';
import { isActive } from '../tenants/is-active.ts';
import { type Addressee, ownersOf } from '../tenants/owners.ts';
import { connectedSince } from './tenures.ts';

// Accounts whose webhooks do not arrive: they are silent here, and have sold at their provider, or
// it no longer lets us in.

/** A connection that brought nothing for hours, and since when. */
export type SilentConnection = { connectionId: ConnectionId; since: Date };

/** For so long a connection brings nothing before its provider is asked, once in as long. */
const SILENT = `interval '2 hours'`;
/** A sale that is older than this has its webhook, if it comes at all. */
const ON_ITS_WAY = `interval '5 minutes'`;
/** From so many covered polls on, the next one is further away than silence is long. */
const [, RARE] = INTERVAL_STEPS;
/** Providers answer only about so many days at once. */
const LOOKED_AT = `interval '30 days'`;

/**
 * An expression for since when webhooks of a connection are missed; null once one has brought a
 * sale again. `of` names a row of connections. A payment that a webhook brought mostly has its id.
 */
export const gapSince = (of: string) => `
  case when ${of}.gap_since is not null and not exists (
    select from payments p
    where p.tenant_id = ${of}.tenant_id and p.provider = ${of}.provider
      and p.created_at > ${of}.gap_found_at and (
        exists (select from event_outcomes where id = p.id)
        or exists (
          select from event_outcomes o where o.payment_id = p.id and o.payment_id <> o.id
            and o.event_type <> 'payment.listed'
        )
      )
  ) then ${of}.gap_since end`;

/**
 * Takes up to so many connections that are to be asked about, the longest unasked first: whose
 * newest sale was stored, and made, more than two hours ago, as they were themselves, and which
 * were not asked about since. What was sold before an account was connected again has no webhook.
 * Only those that are not polled, or so rarely that it would take longer to know; none whose
 * provider is away. `asked` is of when sales are asked for.
 */
export async function takeSilent(
  db: Db,
  limit: number,
): Promise<(SilentConnection & { asked: Span })[]> {
  const { rows } = await db.raw<{ rows: (SilentConnection & Span)[] }>(
    `with silent as (
       select c.id, c.tenant_id, c.provider, newest.occurred_at as sold_at, made.at as made_at
       from pos_connections c
       cross join lateral (select ${connectedSince('c')} as at) made
       left join lateral ${lastSale('c')} newest on true
       left join connection_polls p on p.connection_id = c.id
       where c.status = 'active' and ${isActive('c.tenant_id')}
         and (c.provider = any(:unpolled) or p.covered_polls >= ${RARE})
         and c.needs_reconnect_since is null and coalesce(c.ask_again_at <= now(), true)
         and coalesce(c.gap_asked_at <= now() - ${SILENT}, true)
         and greatest(newest.created_at, newest.occurred_at, made.at) <= now() - ${SILENT}
       order by c.gap_asked_at nulls first, c.id limit :limit
     ),
     dated as (
       select id, coalesce(sold_at, (
         -- Another account of the shop may have sold much more since then.
         select occurred_at from payments p
         where p.tenant_id = silent.tenant_id and p.provider = silent.provider
           and p.created_at > now() - ${LOOKED_AT}
         order by p.created_at desc, p.id desc limit 1
       ), made_at) as since
       from silent
     )
     update pos_connections c set gap_asked_at = now()
     from dated s where c.id = s.id
     returning c.id as connection_id, s.since, greatest(s.since, now() - ${LOOKED_AT}) as "from",
       now() - ${ON_ITS_WAY} as "to"`,
    { limit, unpolled: UNPOLLED_PROVIDERS },
  );
  return rows.map(({ from, to, ...silent }) => ({ ...silent, asked: { from, to } }));
}

/**
 * Records that sales of a connection are missed, and tells of it: its owners by mail, and the
 * tenant's own systems by an event, at most once a day.
 */
export async function recordGap(
  db: Db,
  { connectionId, since, payments }: SilentConnection & { payments: number },
): Promise<void> {
  await db.raw(
    `with found as (
       update pos_connections c
       set gap_since = coalesce(g.since, :since::timestamptz),
         gap_found_at = case when g.since is null then now() else c.gap_found_at end,
         gap_payments = :payments,
         gap_told_at = case when g.is_told then c.gap_told_at else now() end
       from (
         select c.id, ${gapSince('c')} as since,
           coalesce(c.gap_told_at > now() - interval '1 day', false) as is_told
         from pos_connections c where c.id = :connectionId
       ) g
       where c.id = g.id
       returning c.id, c.tenant_id, c.provider, c.gap_since, g.is_told
     ),
     told as (
       insert into tenant_events (tenant_id, type, data)
       select f.tenant_id, 'connection.gap', jsonb_build_object('connectionId', f.id,
         'posType', f.provider, 'payments', :payments::integer,
         'since', to_char(f.gap_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
       from found f join tenants t on t.id = f.tenant_id
       where not f.is_told and t.tells_events
     )
     ${noteAll('tell_of_gap', 'select id from found where not is_told')}`,
    { connectionId, since, payments },
  );
}

/** The content of the mail about missed sales, and whom to tell. */
export type GapNotice = {
  id: ConnectionId;
  tenantId: TenantId;
  tenantName: string;
  provider: Provider;
  payments: number;
  since: Date;
  timeZone: string | null;
  country: string | null;
  /** When they were found to be missed, which makes the mails of a day the same. */
  day: string;
  owners: Addressee[];
};

/** Finds the notices of these connections whose sales are still missed. */
export async function findNotices(db: Db, ids: readonly ConnectionId[]): Promise<GapNotice[]> {
  const { rows } = await db.raw<{ rows: GapNotice[] }>(
    `select c.id, t.id as tenant_id, t.name as tenant_name, c.provider,
       c.gap_payments as payments, c.gap_since as since, t.time_zone, t.country,
       (c.gap_told_at at time zone 'UTC')::date::text as day, ${ownersOf('t.id')} as owners
     from pos_connections c join tenants t on t.id = c.tenant_id
     where c.id = any(:ids::uuid[]) and c.status = 'active' and ${gapSince('c')} is not null`,
    { ids: [...ids] },
  );
  return rows;
}
