import type { TenantId, UserId } from '../../domain/ids.ts';
import type { Span } from '../../domain/intervals.ts';
import type { Db } from '../connection.ts';
import { exact } from '../exact-sum.ts';
import { countOne } from './statistics.ts';

/** Consumers who bought something in a span of time. */
export type Buyers = {
  count: number;
  /** Those of them who had bought something before that. */
  returning: number;
};

/** Two entries of an index are read for each wallet and span: half a second with so many. */
const MOST_WALLETS = 50_000;

/**
 * Counts the consumers of a tenant who bought something in each span, in the order of the spans.
 * Undefined for tenants with very many: no index holds sales by time with whose they are, which
 * would cost each sale.
 */
export async function countBuyers(
  db: Db,
  tenantId: TenantId,
  spans: readonly Span[],
  most = MOST_WALLETS,
): Promise<Buyers[] | undefined> {
  if ((await countOne(db, 'wallets', tenantId)) > most) return undefined;
  const { rows } = await db.raw<{ rows: Buyers[] }>(
    `select count(*) filter (where bought.last >= span.starts_at) as count,
       count(*) filter (where bought.last >= span.starts_at and bought.times > 1) as returning
     from unnest(:starts::timestamptz[], :ends::timestamptz[]) with ordinality
       as span(starts_at, ends_at, nth)
     left join wallets w on w.tenant_id = :tenantId
     left join lateral (
       select max(occurred_at) as last, count(*) as times from (
         select occurred_at from payments
         where tenant_id = :tenantId and user_id = w.user_id and occurred_at < span.ends_at
         order by occurred_at desc limit 2
       ) newest
     ) bought on true
     group by span.nth order by span.nth`,
    { tenantId, starts: spans.map(({ from }) => from), ends: spans.map(({ to }) => to) },
  );
  return rows;
}

/** Who bought most often in a span. The contacts are complete: mask them before they are sent. */
export type TopBuyer = {
  userId: UserId;
  email: string | null;
  phone: string | null;
  visits: number;
  /** Amounts in another currency than the tenant's are left out. */
  amountMinorUnits: number;
  lastVisitAt: Date;
};

const TOP = 5;

/**
 * Lists the consumers of a tenant who bought most often in a span, at most five. Of those who came
 * equally often, who came last is first. Undefined for tenants for which `countBuyers` is.
 */
export async function listTopBuyers(
  db: Db,
  tenant: { id: TenantId; currency: string | null },
  { from, to }: Span,
  most = MOST_WALLETS,
): Promise<TopBuyer[] | undefined> {
  if ((await countOne(db, 'wallets', tenant.id)) > most) return undefined;
  // Visits are counted in an index; only the sales of those who are listed are read.
  const { rows } = await db.raw<{ rows: TopBuyer[] }>(
    `select top.*, u.email, u.phone, (
       select ${exact('sum(amount_minor_units)')} from payments
       where tenant_id = :tenantId and user_id = top.user_id
         and occurred_at >= :from and occurred_at < :to
         and currency = coalesce(:currency, currency)
     ) as amount_minor_units
     from (
       select w.user_id, bought.visits, bought.last_visit_at
       from wallets w
       cross join lateral (
         select count(*) as visits, max(occurred_at) as last_visit_at from payments
         where tenant_id = :tenantId and user_id = w.user_id
           and occurred_at >= :from and occurred_at < :to
       ) bought
       where w.tenant_id = :tenantId and bought.visits > 0
       order by bought.visits desc, bought.last_visit_at desc, w.user_id limit ${TOP}
     ) top
     join users u on u.id = top.user_id
     order by top.visits desc, top.last_visit_at desc, top.user_id`,
    { tenantId: tenant.id, currency: tenant.currency, from, to },
  );
  return rows;
}
