import * as expiring from '../../db/ledger/expiring.ts';
import * as progress from '../../db/tenants/expiry-progress.ts';
import * as expiryRuns from '../../db/tenants/expiry-runs.ts';
import * as tenants from '../../db/tenants/tenants.ts';
import type { TenantId } from '../../domain/ids.ts';
import type { Month } from '../../domain/intervals.ts';
import { type TakenWallets, type TakingDeps, takeWallets } from './take-wallets.ts';

/** What the expiry of a month has done; none is read in a month in which nothing can be due. */
export type TakenMonth = TakenWallets & { skipped: expiryRuns.SkippedMonth | null };

/**
 * Takes what is due by the end of a month of all wallets of a tenant, page by page, and counts what
 * is then owed, or skips it. A wallet that fails fails alone and is logged; the month is then not
 * finished. Killed, it goes on where it was; run twice, or at once, it takes and counts everything
 * once. Undefined for a tenant without a programme, and for a suspended one, whose months wait for
 * its reinstatement. With `again` it goes through all wallets and counts from zero, however far an
 * earlier run has come, and judges as if the month ended now: one that was skipped is taken. A page
 * has at most `limit` wallets.
 */
export async function takeMonth(
  deps: TakingDeps,
  { tenantId, month, again = false }: { tenantId: TenantId; month: Month; again?: boolean },
  limit?: number,
): Promise<TakenMonth | undefined> {
  const { db } = deps;
  const calendar = await expiring.readCalendar(db, tenantId);
  if (calendar === undefined) return undefined;
  const present = new Date();
  const end = calendar.startOf(month + 1);
  const at = again || present < end ? present : end;
  const skipped = await expiryRuns.skipReason(db, tenantId, at);
  if (skipped === null && (await tenants.get(db, tenantId)).status !== 'active') return undefined;
  const run = { tenantId, month };
  const since = await progress.begin(db, run, skipped);
  if (skipped !== null) return { skipped, points: 0, wallets: 0, failed: 0 };
  if (again) await db.transaction((tx) => progress.restart(tx, run));
  const now = calendar.monthOf(present);
  return { skipped, ...(await takeWallets(deps, { ...run, calendar, now, since }, limit)) };
}
