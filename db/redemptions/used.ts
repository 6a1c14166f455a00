import type { RedemptionId, TenantId } from '../../domain/ids.ts';
import type { NamedReward } from '../../domain/rewards.ts';
import type { Db } from '../connection.ts';
import { rewardOf } from '../tenants/rewards.ts';
import type { Colleague } from './listing.ts';

// Used codes, as the tills of a shop read them.

/** A used code as the shop's tills see it. */
export type UsedRedemption = {
  id: RedemptionId;
  points: number;
  discountValueMinorUnits: number;
  /** In which it was confirmed; null when the tenant's was not known then. */
  currency: string | null;
  reward: NamedReward | null;
  usedAt: Date;
  usedBy: Colleague;
  customer: { name: string | null; email: string | null };
};

/** Lists codes used in a shop since `from`, last used first, starting after `after`. */
export async function listUsed(
  db: Db,
  tenantId: TenantId,
  page: { from: Date; limit: number; after?: RedemptionId | undefined },
): Promise<UsedRedemption[]> {
  const { from, limit, after = null } = page;
  const { rows } = await db.raw<{ rows: UsedRow[] }>(
    `${usedIn(db, '= :tenantId')} and r.used_at >= :from ${after === null ? '' : AFTER_USED}
     order by r.used_at desc, r.id desc limit :limit`,
    { tenantId, from, limit, after },
  );
  return rows.map(usedOf);
}

/** Returns those of the redemptions that were used in one of the shops, in no order. */
export async function listUsedAmong(
  db: Db,
  tenantIds: readonly TenantId[],
  ids: readonly RedemptionId[],
): Promise<UsedRedemption[]> {
  const { rows } = await db.raw<{ rows: UsedRow[] }>(
    `${usedIn(db, '= any(:tenantIds::uuid[])')} and r.id = any(:ids::uuid[])`,
    {
      tenantIds: [...tenantIds],
      ids: [...ids],
    },
  );
  return rows.map(usedOf);
}

const usedIn = (db: Db, shops: string) => `
  select r.id, r.points, r.discount_value_minor_units, r.currency, r.used_at,
    r.used_by as user_id, o.email, o.name, u.name as customer_name, u.email as customer_email,
    ${rewardOf(db)}
  from redemptions r
  join users u on u.id = r.user_id
  left join users o on o.id = r.used_by
  where r.tenant_id ${shops} and r.status = 'used'`;
const AFTER_USED = `and (r.used_at, r.id) <
  (select used_at, id from redemptions where tenant_id = :tenantId and id = :after)`;

type UsedRow = Omit<UsedRedemption, 'usedBy' | 'customer'> &
  Colleague & { customerName: string | null; customerEmail: string | null };

function usedOf(row: UsedRow): UsedRedemption {
  const { userId, email, name, customerName, customerEmail, ...used } = row;
  return {
    ...used,
    usedBy: { userId, email, name },
    customer: { name: customerName, email: customerEmail },
  };
}
