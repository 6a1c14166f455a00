import type { TenantId } from '../../domain/ids.ts';
import type { Db } from '../connection.ts';
import type { Colleague } from './listing.ts';

/** What was done at the tills of a shop within a time, in one currency. */
export type DaySums = {
  /** Null when the tenant's was not known yet. */
  currency: string | null;
  /** How many codes were used, those for items included. */
  codes: number;
  /** How many of them were for an item, which the till handed out. */
  items: number;
  /** What was taken off, in minor units of the currency. */
  discountMinorUnits: number;
  /** How many sales were attached to customers. */
  attachedSales: number;
};

/** The same of one person who works there, or is the merchant. */
export type DayLine = DaySums & { by: Colleague };

export type DaySheet = { lines: DayLine[]; totals: DaySums[] };

type Row = DaySums & (Colleague | Record<keyof Colleague, null>);

/**
 * Sums up what each person did at a tenant's tills from one moment until before another, and what
 * all of them did, as of one moment: the codes are those that `listUsed` lists. Who took off the
 * most comes first.
 */
export async function sumDay(
  db: Db,
  tenantId: TenantId,
  { from, to }: { from: Date; to: Date },
): Promise<DaySheet> {
  const { rows } = await db.raw<{ rows: Row[] }>(
    `select s.user_id, u.email, u.name, s.currency, s.codes, s.items, s.discount_minor_units,
       s.attached_sales
     from (
       select user_id, currency,
         count(discount) as codes,
         count(*) filter (where discount = 0) as items,
         coalesce(sum(discount), 0)::bigint as discount_minor_units,
         count(*) filter (where discount is null) as attached_sales
       from (
         select used_by as user_id, currency, discount_value_minor_units as discount
         from redemptions
         where tenant_id = :tenantId and status = 'used' and used_at >= :from and used_at < :to
         union all
         select a.operator_id, p.currency, null
         from sale_attachments a join payments p on p.id = a.payment_id
         where a.tenant_id = :tenantId and a.created_at >= :from and a.created_at < :to
       ) done
       group by grouping sets ((user_id, currency), (currency))
     ) s
     left join users u on u.id = s.user_id
     order by s.discount_minor_units desc, s.codes desc, s.attached_sales desc, s.user_id`,
    { tenantId, from, to },
  );
  const sheet: DaySheet = { lines: [], totals: [] };
  for (const { userId, email, name, ...sums } of rows) {
    if (userId === null) sheet.totals.push(sums);
    else sheet.lines.push({ ...sums, by: { userId, email, name } });
  }
  return sheet;
}
