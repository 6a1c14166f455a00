import type { Db } from '../../db/connection.ts';
import * as expiring from '../../db/ledger/expiring.ts';
import * as wallets from '../../db/ledger/wallets.ts';
import { limitLockWaits } from '../../db/lock-waits.ts';
import * as expiryRuns from '../../db/tenants/expiry-runs.ts';
import type { TenantId, WalletId } from '../../domain/ids.ts';
import { type Month, monthText } from '../../domain/intervals.ts';
import { isolate } from '../isolate.ts';
import { walletPages } from './wallet-pages.ts';

export type TakingDeps = { db: Db; log: { error(fields: object, message: string): void } };

/** What the expiry of a month has done. */
export type TakenMonth = {
  skipped: expiryRuns.SkippedMonth | null;
  points: number;
  /** How many were read; none in a month in which nothing can be due. */
  wallets: number;
  /** How many could not be taken from; the month is then not finished. */
  failed: number;
};

/**
 * Takes what is due by the end of a month of all wallets of a tenant, page by page, or skips it. A
 * wallet that fails fails alone and is logged. Killed, it goes on where it was; run twice, or at
 * once, it takes everything once. Undefined for a tenant without a programme. With `again` it goes
 * through all wallets, however far an earlier run has come, and takes a month that was skipped.
 */
export async function takeMonth(
  { db, log }: TakingDeps,
  { tenantId, month, again = false }: { tenantId: TenantId; month: Month; again?: boolean },
): Promise<TakenMonth | undefined> {
  const calendar = await expiring.readCalendar(db, tenantId);
  if (calendar === undefined) return undefined;
  const present = new Date();
  const end = calendar.startOf(month + 1);
  const skipped = await expiryRuns.skipReason(db, tenantId, end < present ? end : present);
  const begun = await expiryRuns.begin(db, { tenantId, month }, skipped);
  const taken: TakenMonth = { skipped, points: 0, wallets: 0, failed: 0 };
  if (skipped !== null) return taken;
  const due = { tenantId, calendar, month, now: calendar.monthOf(present) };
  const from = again ? null : begun.after;
  const pages = calendar.canBeDueBy(month) ? walletPages(db, tenantId, from) : [];
  for await (const page of pages) {
    const counts = await isolate(
      page.ids,
      (ids) => takePage(db, due, ids),
      async (walletId, err) => {
        const text = { event: 'points_not_expired', walletId, month: monthText(month), err };
        log.error(text, 'Points of a wallet did not expire; it is tried again each hour');
        taken.failed++;
        return 0;
      },
    );
    taken.points += counts.reduce((sum, points) => sum + points, 0);
    taken.wallets += page.ids.length;
    await expiryRuns.advance(db, { tenantId, month }, page.last);
  }
  // What failed is found again from the beginning: what was taken is not taken twice.
  if (taken.failed > 0) await expiryRuns.advance(db, { tenantId, month }, null);
  else await expiryRuns.finish(db, { tenantId, month });
  return taken;
}

async function takePage(
  db: Db,
  due: expiring.Expiring,
  walletIds: readonly WalletId[],
): Promise<number> {
  return db.transaction(async (tx) => {
    await limitLockWaits(tx);
    await wallets.lockAll(tx, walletIds, []);
    return expiring.take(tx, due, walletIds);
  });
}
