import type { TenantId } from '../../domain/ids.ts';
import type { Span } from '../../domain/intervals.ts';
import type { Db } from '../connection.ts';
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
