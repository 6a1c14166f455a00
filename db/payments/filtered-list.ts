import type { PaymentId, TenantId, UserId } from '../../domain/ids.ts';
import type { CurrencySums } from '../../domain/list-totals.ts';
import { type IngestionOutcome, STORED_OUTCOMES } from '../../domain/outcomes.ts';
import { PROVIDERS } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';
import { exact } from '../exact-sum.ts';
import { asListed, LISTED_COLUMNS, type ListedPayment, type ListedRow } from './payments.ts';

/** What a list is narrowed down to: payments that agree with all that is given. */
export type PaymentFilter = {
  outcome?: IngestionOutcome | undefined;
  /** Who the payment was matched to. */
  userId?: UserId | undefined;
  /** When the sale occurred: inclusive. */
  from?: Date | undefined;
  /** When the sale occurred: exclusive. */
  to?: Date | undefined;
  /** The provider's id of the payment, as a whole. */
  providerPaymentId?: string | undefined;
};

type Page = { limit: number; after?: PaymentId | undefined };

/**
 * Lists a tenant's payments that agree with the filter, in the order in which the sales occurred,
 * newest first, starting after `after`.
 */
export async function listFiltered(
  db: Db,
  tenantId: TenantId,
  page: PaymentFilter & Page,
): Promise<ListedPayment[]> {
  const candidates = db.raw(`(${candidatesOf(page)}) as p`, valuesOf(tenantId, page));
  const rows = await db
    .queryBuilder()
    .from(candidates)
    .joinRaw(
      'left join lateral (select email, phone from users where id = p.user_id limit 1) u on true',
    )
    .orderBy('p.occurredAt', 'desc')
    .orderBy('p.id', 'desc')
    .limit(page.limit)
    .select<ListedRow[]>(...LISTED_COLUMNS);
  return rows.map(asListed);
}

/**
 * Sums up by currency at most `limit` of the payments that agree with the filter: what they were
 * of, what was refunded of it, and what they earned. Which of them, if there are more, is open.
 */
export async function sumFiltered(
  db: Db,
  tenantId: TenantId,
  page: PaymentFilter & { limit: number },
): Promise<CurrencySums[]> {
  const { rows } = await db.raw<{ rows: CurrencySums[] }>(
    `select currency, count(*)::integer as count,
       ${exact('sum(amount_minor_units)')} as amount_minor_units,
       ${exact('sum(refunded_minor_units)')} as refunded_minor_units,
       ${exact('sum(points_awarded)')} as points,
       ${exact('sum(points_reversed)')} as points_reversed
     from (select * from (${candidatesOf(page)}) as c limit :limit) as p
     group by currency order by count desc, currency`,
    valuesOf(tenantId, page),
  );
  return rows;
}

function valuesOf(tenantId: TenantId, { limit, after, ...filter }: PaymentFilter & Page) {
  const { outcome, userId, from, to, providerPaymentId } = filter;
  return {
    tenantId,
    limit,
    outcomes: outcome === undefined ? STORED_OUTCOMES : [outcome],
    providers: [...PROVIDERS],
    ...(providerPaymentId !== undefined && { providerPaymentId }),
    ...(userId !== undefined && { userId }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(after !== undefined && { after }),
  };
}

/** Returns the query that finds the first payments by the index that fits the filter. */
function candidatesOf(filter: PaymentFilter & Page): string {
  const { userId, providerPaymentId } = filter;
  const conditions = conditionsOf(filter);
  if (providerPaymentId !== undefined) {
    return `
      select found.* from unnest(:providers::text[]) as o(provider)
      cross join lateral (
        select * from payments
        where tenant_id = :tenantId and provider = o.provider
          and provider_payment_id = :providerPaymentId
        limit 1
      ) found
      where outcome = any(:outcomes::text[]) ${conditions}`;
  }
  if (userId !== undefined) {
    return `
      select * from payments
      where tenant_id = :tenantId and outcome = any(:outcomes::text[]) ${conditions}
      order by occurred_at desc, id desc limit :limit`;
  }
  return `
    select found.* from unnest(:outcomes::text[]) as o(outcome)
    cross join lateral (
      select * from payments
      where tenant_id = :tenantId and outcome = o.outcome ${conditions}
      order by occurred_at desc, id desc limit :limit
    ) found`;
}

function conditionsOf({ userId, from, to, after }: PaymentFilter & Pick<Page, 'after'>): string {
  const conditions = [
    userId !== undefined && 'and user_id = :userId',
    from !== undefined && 'and occurred_at >= :from',
    to !== undefined && 'and occurred_at < :to',
    after !== undefined && AFTER,
  ];
  return conditions.filter((condition) => condition !== false).join(' ');
}

const AFTER = `and (occurred_at, id) <
  (select a.occurred_at, a.id from payments a where a.tenant_id = :tenantId and a.id = :after)`;
