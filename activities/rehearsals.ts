import type { Db } from '../db/connection.ts';
import { countUnrehearsed, listRehearsed } from '../db/payments/rehearsed-sales.ts';
import * as rehearsals from '../db/tenants/rehearsals.ts';
import * as rewardRules from '../db/tenants/reward-rules.ts';
import * as tenants from '../db/tenants/tenants.ts';
import type { RehearsalId } from '../domain/ids.ts';
import { cut } from '../domain/intervals.ts';
import {
  type DecidedSale,
  Rehearsal,
  type RehearsalResult,
  type RehearsalTerms,
  spanOfRehearsal,
} from '../domain/rehearsal.ts';
import { timeZoneOf } from '../domain/time-zones.ts';
import type { IngestPolicy } from './ingestion/decide/ingest-policy.ts';
import { continues, untilDone } from './progress.ts';

export type RehearsalDeps = { db: Db; ingestPolicy: Pick<IngestPolicy, 'refunds'> };
export type UnbegunRehearsal = rehearsals.UnbegunRehearsal;

const SALES_PER_PAGE = 2_000;
/** 90 days begin at most so many weeks. */
const MOST_WEEKS = 20;
/** So many runs reconcile starts at a time, ten times. It may have 2,000 open, of all kinds. */
const START_BATCH = 30;
const EXPIRED = { batch: 1_000, forMs: 60_000 };

/** Tries rules over sales of the past. */
export function createRehearsalActivities(deps: RehearsalDeps) {
  const { db } = deps;
  return {
    /**
     * Decides the sales of a tenant once more by the rule of a rehearsal, and stores what came out.
     * It reads page by page and writes nothing else, so that it may run any number of times.
     */
    async rehearse(id: RehearsalId): Promise<Pick<RehearsalResult, 'sales'> | null> {
      const rehearsal = await rehearsals.findRunning(db, id);
      if (rehearsal === undefined) return null;
      const result = await rehearseOver(deps, rehearsal);
      await rehearsals.complete(db, id, result);
      return { sales: result.sales };
    },

    /** Ends a rehearsal that came to no result. */
    async endRehearsal(id: RehearsalId, status: 'failed' | 'cancelled'): Promise<void> {
      await rehearsals.end(db, id, status);
    },

    /** Lists rehearsals whose run was not started, in the order of their ids. Reads only. */
    async listOverdueRehearsals(after: RehearsalId | null): Promise<UnbegunRehearsal[]> {
      return rehearsals.listOverdue(db, { after, limit: START_BATCH });
    },

    /** Deletes rehearsals older than 90 days, and returns how many. */
    async deleteOldRehearsals(): Promise<number> {
      return untilDone(EXPIRED, (batch) => rehearsals.deleteOld(db, batch));
    },
  };
}

async function rehearseOver(
  { db, ingestPolicy }: RehearsalDeps,
  { tenantId, draft, createdAt }: rehearsals.StoredRehearsal,
): Promise<RehearsalResult> {
  const tenant = await tenants.get(db, tenantId);
  const timeZone = timeZoneOf(tenant, createdAt) ?? 'UTC';
  const span = spanOfRehearsal(draft, createdAt, timeZone);
  const [newest] = await rewardRules.list(db, tenantId, { limit: 1 });
  const terms: RehearsalTerms = {
    rule: {
      ...draft.rule,
      conversionRate: String(draft.rule.conversionRate),
      // The one that it would get.
      version: (newest?.version ?? 0) + 1,
    },
    currency: tenant.currency,
    refunds: ingestPolicy.refunds,
    weeks: cut(span, { interval: 'week', timeZone, most: MOST_WEEKS }),
  };
  const sales = { ...span, tenantId, storedBy: createdAt };
  const rehearsal = new Rehearsal(terms);
  let after: DecidedSale | undefined;
  do {
    continues();
    const page = await listRehearsed(db, sales, { after, limit: SALES_PER_PAGE });
    for (const sale of page) rehearsal.add(sale);
    after = page.length < SALES_PER_PAGE ? undefined : page.at(-1);
  } while (after !== undefined);
  return rehearsal.result(span, await countUnrehearsed(db, sales));
}
