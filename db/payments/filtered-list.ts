import type { PaymentId, TenantId, UserId } from '../../domain/ids.ts';
import { type IngestionOutcome, STORED_OUTCOMES } from '../../domain/outcomes.ts';
import { PROVIDERS } from '../../domain/payment.ts';
import type { Db } from '../connection.ts';
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
  { limit, after, ...filter }: PaymentFilter & Page,
): Promise<ListedPayment[]> {
  const { outcome, userId, from, to, providerPaymentId } = filter;
  const candidates = db.raw(`(${candidatesOf(filter, conditionsOf({ ...filter, after }))}) as p`, {
    tenantId,
    limit,
    outcomes: outcome === undefined ? STORED_OUTCOMES : [outcome],
    providers: [...PROVIDERS],
    ...(providerPaymentId !== undefined && { providerPaymentId }),
    ...(userId !== undefined && { userId }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(after !== undefined && { after }),
  });
  const rows = await db
    .queryBuilder()
    .from(candidates)
    .joinRaw(
      'left join lateral (select email, phone from users where id = p.user_id limit 1) u on true',
    )
    .orderBy('p.occurredAt', 'desc')
    .orderBy('p.id', 'desc')
    .limit(limit)
    .select<ListedRow[]>(...LISTED_COLUMNS);
  return rows.map(asListed);
}

/** Returns the query that finds the first payments by the index that fits the filter. */
function candidatesOf({ userId, providerPaymentId }: PaymentFilter, conditions: string): string {
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
