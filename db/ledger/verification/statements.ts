import type { LedgerViolation } from '../../../domain/ledger-report.ts';
import type { Db, Tx } from '../../connection.ts';

/** What a step has found wrong; `rowIds` are the wallets or sources that it is about. */
export type Findings = { violations: LedgerViolation[]; rowIds: string[] };

/** What two steps have found. */
export function bothOf(one: Findings, other: Findings): Findings {
  return {
    violations: [...one.violations, ...other.violations].slice(0, MAX_VIOLATIONS),
    rowIds: [...one.rowIds, ...other.rowIds],
  };
}

/** More would not help: one violation is reason enough to stop and look. */
export const MAX_VIOLATIONS = 100;

/** A statement that is put together from several parts, with its values. */
export type Composed = { sql: string; values: Readonly<Record<string, unknown>> };

/** The violation `v` as it is reported. */
export const VIOLATION = `jsonb_build_object('walletId', v.wallet_id, 'tenantId', v.tenant_id,
  'seq', v.seq, 'problem', v.problem)`;

/** Bounds a statement to a second or two. */
export const SLICE = { wallets: 5_000, entries: 50_000, sources: 50_000 } as const;
/** Many times what a slice takes. */
const SLICE_TIMEOUT = '5min';

/** Runs one step in a transaction of its own. Each statement sees one state of the database. */
export async function inSlice<T>(
  db: Db,
  readOnly: boolean,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction(
    async (tx) => {
      await tx.raw(`set local statement_timeout = '${SLICE_TIMEOUT}'`);
      return work(tx);
    },
    { readOnly },
  );
}
