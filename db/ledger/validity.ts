import { type MonthPoints, NEVER, pointsLeft } from '../../domain/expiry.ts';
import type { TenantId, WalletId } from '../../domain/ids.ts';
import type { Month } from '../../domain/intervals.ts';
import type { Db } from '../connection.ts';
import { monthIn, readCalendar, readLots } from './expiring.ts';

/** Until when the points of a wallet can be used. */
export type Validity = {
  /** For points that are earned now; null for ever. */
  validityMonths: number | null;
  timeZone: string;
  /** What is left, by the months at whose end it expires: soonest first, `NEVER` last. */
  points: (MonthPoints & { expiresAt: Date | null })[];
};

/**
 * Reads until when the points of a wallet can be used. It adds up to the balance. What is due by a
 * month that was taken or skipped goes with the next one that was not. Undefined where the shop has
 * published no programme.
 */
export async function readValidity(
  db: Db,
  wallet: { id: WalletId; tenantId: TenantId },
): Promise<Validity | undefined> {
  const { tenantId } = wallet;
  const calendar = await readCalendar(db, tenantId);
  if (calendar === undefined) return undefined;
  const done: { month: string }[] = await db('expiry_runs')
    .where({ tenantId })
    .whereNotNull('begunAt')
    .select(db.raw('month::text'));
  const isOver = new Set(done.map(({ month }) => monthIn(month)));
  const now = calendar.monthOf(new Date());
  const expiresIn = (earned: Month) => {
    let due = calendar.dueOf(earned, now);
    while (isOver.has(due)) due++;
    return due;
  };
  const [held] = await readLots(db, [wallet.id], calendar, now);
  const left = held === undefined ? [] : pointsLeft(held, expiresIn);
  return {
    validityMonths: calendar.activeValidity,
    timeZone: calendar.timeZone,
    points: left.map(({ month, points }) => ({
      month,
      points,
      expiresAt: month === NEVER ? null : calendar.startOf(month + 1),
    })),
  };
}
