import { appliesProgrammes, type Db, type Tx } from '../db/connection.ts';
import * as standings from '../db/tenants/standings.ts';
import type { TenantId, WalletId } from '../domain/ids.ts';
import { decideTier } from '../domain/tiers.ts';
import { continues } from './progress.ts';

export type TierDeps = { db: Db };
export type DueNights = { due: standings.TenantDay[]; next: TenantId | null };
/** How many customers were looked at, and how many of them have another tier, or none now. */
export type DecidedNight = { wallets: number; changed: number };

const TENANTS = 500;
const WALLETS = 500;

/** The tiers of customers, by night. */
export function createTierActivities({ db }: TierDeps) {
  return {
    /**
     * Lists, of the next tenants, the nights that are to be decided now; `next` is where to go on.
     * It lists nothing where programmes are switched off. Reads only.
     */
    async listDueNights(after: TenantId | null): Promise<DueNights> {
      if (!appliesProgrammes(db)) return { due: [], next: null };
      const due = await standings.listDueNights(db, { after, limit: TENANTS });
      return { due, next: due.length < TENANTS ? null : (due.at(-1)?.tenantId ?? null) };
    },

    /** Decides the tiers of a tenant's customers for a day, as `decideNight` does. */
    async decideTiers(night: standings.TenantDay): Promise<DecidedNight | undefined> {
      return decideNight(db, night);
    },
  };
}

/**
 * Decides which tiers all customers of a tenant have from a day on, page by page, and returns how
 * many have another one; undefined where there is nothing to decide, because the tenant is
 * suspended or has no programme. Decided again, or by two at the same moment, it changes nothing
 * more; killed halfway, it starts over.
 */
export async function decideNight(
  db: Db,
  night: standings.TenantDay,
): Promise<DecidedNight | undefined> {
  const decided = { wallets: 0, changed: 0 };
  for (let after: WalletId | null = null; ; ) {
    continues();
    const page = await db.transaction(async (tx) => decidePage(tx, night, after));
    if (page === undefined) return undefined;
    decided.wallets += page.wallets;
    decided.changed += page.changed;
    after = page.last;
    if (page.wallets < WALLETS) break;
  }
  await standings.finishNight(db, night);
  return decided;
}

async function decidePage(tx: Tx, night: standings.TenantDay, after: WalletId | null) {
  const { tenantId, day } = night;
  const terms = await standings.lockTerms(tx, tenantId);
  if (terms === undefined) return undefined;
  const page = { terms, day, after, limit: WALLETS };
  const spenders = await standings.listSpenders(tx, tenantId, page);
  const changes = spenders.flatMap(({ walletId, userId, ...spender }) => {
    const change = decideTier(terms.tiers, { day, ...spender });
    return change === null ? [] : { walletId, userId, ...change };
  });
  if (changes.length > 0) await standings.storeChanges(tx, night, changes);
  return {
    wallets: spenders.length,
    changed: changes.filter(({ from, to }) => from !== to).length,
    last: spenders.at(-1)?.walletId ?? null,
  };
}
