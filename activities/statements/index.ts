import * as jobRuns from '../../db/job-runs.ts';
import { NO_ID } from '../../db/ledger/verification/whole.ts';
import { beginDay, collect, nextTenants } from '../../db/statements/movement.ts';
import * as storing from '../../db/statements/storing.ts';
import { statementName } from '../../domain/statement.ts';
import { type ObjectStore, ObjectStoreUnavailable } from '../../gateways/objects/store.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { inParallel } from '../concurrency.ts';
import { continues } from '../progress.ts';
import { MAX_WALLETS, type SigningDeps, signStatement } from './sign-statements.ts';

export type StatementDeps = SigningDeps & {
  objects: ObjectStore;
  log: Logger;
};

/** What one step has signed; `next` is where the next one begins, null at the end. */
export type SignedSlice = { statements: number; failed: number; next: string | null };
export type StoredSlice = { stored: number; failed: number };

/** How many tenants one step takes, and how many at the same time. */
const TENANTS = { perStep: 500, atOnce: 4 };
/** How many statements are read and stored together: each may have a megabyte. */
const STORING = { perPage: 20, atOnce: 4 };

/**
 * Signs statements about the wallets that have moved. Each step may run any number of times, also
 * beside itself.
 */
export function createStatementActivities(deps: StatementDeps) {
  const { db, log } = deps;
  return {
    /** Collects the wallets that have moved, once for each UTC day that has ended. */
    async collectMovedWallets(): Promise<void> {
      await beginDay(db);
      for (;;) {
        continues();
        const { seen, limit } = await collect(db);
        if (seen < limit) return;
      }
    },

    /** Signs the statements of the next tenants. One that fails does not hold up the others. */
    async signStatements(after: string | null): Promise<SignedSlice> {
      const slice = { statements: 0, failed: 0 };
      const due = await nextTenants(db, {
        after: after ?? NO_ID,
        limit: TENANTS.perStep,
        full: MAX_WALLETS,
      });
      await inParallel(due.tenantIds, TENANTS.atOnce, async (tenantId) => {
        try {
          for (;;) {
            continues();
            const wallets = await signStatement(deps, tenantId);
            if (wallets > 0) slice.statements += 1;
            if (wallets < MAX_WALLETS) return;
          }
        } catch (err) {
          continues();
          slice.failed += 1;
          log.error({ event: 'statement_not_signed', tenantId, err }, 'A statement is not signed');
        }
      });
      return { ...slice, next: due.last };
    },

    /**
     * Brings statements into the object store that it does not have yet. One that is there and is
     * another stays there: it is evidence. Throws ObjectStoreUnavailable.
     */
    async storeStatements(): Promise<StoredSlice> {
      const slice = { stored: 0, failed: 0 };
      let after = NO_ID;
      for (;;) {
        const page = await storing.listUnstored(db, after, STORING.perPage);
        await inParallel(page, STORING.atOnce, async (statement) => {
          continues();
          if (await store(deps, statement)) slice.stored += 1;
          else slice.failed += 1;
        });
        const last = page.at(-1);
        if (last === undefined || page.length < STORING.perPage) return slice;
        after = last.statementId;
      }
    },

    /** Records that all statements that are due are signed and stored. */
    async recordStatements(): Promise<void> {
      await jobRuns.recordCompleted(db, 'statements');
    },
  };
}

async function store(
  { db, objects, log }: StatementDeps,
  { statementId, tenantId, number, body }: storing.Unstored,
): Promise<boolean> {
  try {
    const name = statementName({ tenantId, number });
    const bytes = Buffer.from(body, 'utf8');
    const found = await objects.get(name);
    if (found === undefined) await objects.put(name, { bytes, contentType: 'application/json' });
    else if (!found.equals(bytes)) throw new Error(`The object store has another ${name}.`);
    await storing.recordStored(db, statementId);
    return true;
  } catch (err) {
    // It will not have the next one either.
    if (err instanceof ObjectStoreUnavailable) throw err;
    log.error(
      { event: 'statement_not_stored', tenantId, number, err },
      'A statement is not stored',
    );
    return false;
  }
}
