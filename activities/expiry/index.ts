import { ApplicationFailure } from '@temporalio/common';
import { appliesProgrammes } from '../../db/connection.ts';
import { monthIn } from '../../db/ledger/expiring.ts';
import * as expiryRuns from '../../db/tenants/expiry-runs.ts';
import { monthsToTake, monthsToTell } from '../../domain/expiry-months.ts';
import type { TenantId } from '../../domain/ids.ts';
import { monthText } from '../../domain/intervals.ts';
import { type TakenMonth, takeMonth } from './take-month.ts';
import type { TakingDeps } from './take-wallets.ts';
import { type TellingDeps, type ToldMonth, tellMonth } from './tell-month.ts';

export type ExpiryDeps = TakingDeps & TellingDeps;

/** A month of a tenant, as `2026-03`. */
export type TenantMonth = { tenantId: TenantId; month: string };
export type DueMonths = { take: TenantMonth[]; tell: TenantMonth[]; next: TenantId | null };

/** A page: each may have four months, and a run that has started 999 may have 2,000 open. */
const TENANTS = 250;

/** The expiry of points by month, and the notices of it. */
export function createExpiryActivities(deps: ExpiryDeps) {
  const { db } = deps;
  return {
    /**
     * Lists, of the next tenants with a programme, the oldest month that ended and was not taken,
     * and the months of which people are to be told; `next` is where to go on. It lists nothing
     * where programmes are switched off. Reads only.
     */
    async listDueMonths(after: TenantId | null): Promise<DueMonths> {
      const due: DueMonths = { take: [], tell: [], next: null };
      if (!appliesProgrammes(db)) return due;
      const now = new Date();
      const shops = await expiryRuns.listMonths(db, { after, limit: TENANTS });
      for (const { tenantId, ...shop } of shops) {
        const [oldest] = monthsToTake(shop, now);
        if (oldest !== undefined) due.take.push({ tenantId, month: monthText(oldest) });
        for (const month of monthsToTell(shop, now)) {
          due.tell.push({ tenantId, month: monthText(month) });
        }
      }
      due.next = shops.length < TENANTS ? null : (shops.at(-1)?.tenantId ?? null);
      return due;
    },

    /**
     * Takes what is due by the end of a month, as `takeMonth` does, and then of those after it that
     * have ended. Fails in the end when a wallet did, which the next run tries again.
     */
    async expirePoints({ tenantId, month: text }: TenantMonth): Promise<TakenMonth[]> {
      const taken: TakenMonth[] = [];
      for (let month = monthIn(text); ; ) {
        const its = await takeMonth(deps, { tenantId, month });
        if (its !== undefined) taken.push(its);
        const next = await nextMonth(tenantId, month);
        if (next === undefined) break;
        month = next;
      }
      const failed = taken.reduce((sum, its) => sum + its.failed, 0);
      if (failed === 0) return taken;
      const message = `Of ${failed} wallets nothing was taken: see the log.`;
      throw ApplicationFailure.nonRetryable(message, 'PointsNotExpired');
    },

    /** Mails whose points the end of a month will take, as `tellMonth` does. */
    async tellExpiry({ tenantId, month }: TenantMonth): Promise<ToldMonth | undefined> {
      return tellMonth(deps, { tenantId, month: monthIn(month) });
    },
  };

  async function nextMonth(tenantId: TenantId, month: number): Promise<number | undefined> {
    const shop = await expiryRuns.findMonths(db, tenantId);
    return shop && monthsToTake(shop, new Date()).find((each) => each > month);
  }
}
