import type { ExpiryCalendar, PointExpiry } from '../../domain/expiry.ts';
import type { PaymentId, TenantId, WalletId } from '../../domain/ids.ts';
import type { WalletExpiry } from '../../domain/revision.ts';
import type { Db } from '../connection.ts';
import { monthIn, readCalendars } from './expiring.ts';

// What has expired of a wallet's points, and what refunds have absorbed of it (domain/expiry.ts).

type RowOfExpiry = {
  walletId: WalletId;
  tenantId: TenantId;
  expired: [month: string, points: number][];
};
type Absorber = { id: PaymentId; walletId: WalletId; earnedAt: Date; absorbed: number };

/**
 * Reads what has expired of wallets and was absorbed, and when the points of these payments and of
 * those that absorbed were due. A wallet of which nothing has expired is left out; where all are,
 * it is one look-up.
 */
export async function readExpired(
  db: Db,
  walletIds: readonly WalletId[],
  paymentIds: readonly PaymentId[] = [],
): Promise<Map<WalletId, WalletExpiry>> {
  const { rows: expired } = await db.raw<{ rows: RowOfExpiry[] }>(
    `select wallet_id, tenant_id,
       jsonb_agg(jsonb_build_array(month::text, points) order by month) as expired
     from point_expiries
     where wallet_id = any(:walletIds::uuid[]) group by wallet_id, tenant_id`,
    { walletIds: [...walletIds] },
  );
  if (expired.length === 0) return new Map();
  const calendars = await readCalendars(db, [...new Set(expired.map((row) => row.tenantId))]);
  const ids = expired.map((row) => row.walletId);
  const absorbers = await readAbsorbers(db, ids, paymentIds);
  return new Map(
    expired.map((row) => {
      const its = absorbers.filter(({ walletId }) => walletId === row.walletId);
      return [row.walletId, expiryOf(row, its, calendars.get(row.tenantId))];
    }),
  );
}

async function readAbsorbers(
  db: Db,
  walletIds: readonly WalletId[],
  paymentIds: readonly PaymentId[],
): Promise<Absorber[]> {
  const { rows } = await db.raw<{ rows: Absorber[] }>(
    `select p.id, p.wallet_id, e.created_at as earned_at, p.points_absorbed as absorbed
     from (
       select id, wallet_id, points_absorbed from payments
       where wallet_id = any(:walletIds::uuid[]) and points_absorbed > 0
       union
       select id, wallet_id, points_absorbed from payments
       where id = any(:paymentIds::uuid[]) and wallet_id = any(:walletIds::uuid[])
     ) p
     cross join lateral (
       select created_at from ledger_entries
       where source_id = p.id and reason = 'purchase' limit 1
     ) e`,
    { walletIds: [...walletIds], paymentIds: [...paymentIds] },
  );
  return rows;
}

function expiryOf(
  row: RowOfExpiry,
  absorbers: readonly Absorber[],
  calendar: ExpiryCalendar | undefined,
): WalletExpiry {
  const expired = row.expired.map(([month, points]) => ({ month: monthIn(month), points }));
  if (calendar === undefined) throw new Error('Points have expired without a programme.');
  const now = calendar.monthOf(new Date());
  const until = Math.max(now, ...expired.map(({ month }) => month));
  const dueOf = new Map(
    absorbers.map(({ id, earnedAt }) => [id, calendar.dueOf(calendar.monthOf(earnedAt), until)]),
  );
  const absorbed = absorbers.flatMap(({ id, absorbed: points }) => {
    const month = dueOf.get(id);
    return month === undefined || points === 0 ? [] : { month, points };
  });
  return { expired, absorbed, dueOf };
}

/** Finds by which months, and of which credits, points of a wallet expired, by ids. */
export async function findExpiries(
  db: Db,
  walletId: WalletId,
  ids: readonly string[],
): Promise<Map<string, PointExpiry>> {
  const { rows } = await db.raw<{ rows: { id: string; month: string; earnedBy: string }[] }>(
    `select id, month::text, earned_by::text from point_expiries
     where id = any(:ids::uuid[]) and wallet_id = :walletId`,
    { ids: [...ids], walletId },
  );
  return new Map(
    rows.map(({ id, month, earnedBy }) => [
      id,
      { month: monthIn(month), earnedBy: monthIn(earnedBy) },
    ]),
  );
}
