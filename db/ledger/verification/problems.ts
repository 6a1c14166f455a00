import type { Db } from '../../connection.ts';
import { verifyCounts } from './counts.ts';
import { verifyExpired } from './expired.ts';
import { verifySources } from './sources.ts';
import { bothOf, type Findings, inSlice } from './statements.ts';
import { verifyWallets } from './wallets.ts';
import type { Walk } from './whole.ts';

/** Far more than anyone looks at; the rest is found again when its part is verified. */
const MAX_PROBLEMS = 1_000;

/** Notes rows that were found wrong, so that they are verified again in each run. */
export async function note(db: Db, walk: Walk, rowIds: readonly string[]): Promise<void> {
  if (rowIds.length === 0) return;
  await db.raw(
    `insert into ledger_problems (walk, row_id)
     select :walk, id from unnest(:rowIds::uuid[]) id order by id
     on conflict (walk, row_id) do update set seen_at = now()`,
    { walk, rowIds: [...rowIds] },
  );
}

/**
 * Verifies the noted rows of a walk that nobody has found wrong since `since`, whole histories of
 * wallets included, and forgets those that are right now.
 */
export async function verifyAgain(db: Db, walk: Walk, since: string): Promise<Findings> {
  const noted: { rowId: string }[] = await db('ledger_problems')
    .where({ walk })
    .where('seenAt', '<', since)
    .orderBy('rowId')
    .limit(MAX_PROBLEMS)
    .select('rowId');
  const ids = noted.map(({ rowId }) => rowId);
  if (ids.length === 0) return { violations: [], rowIds: [] };
  const { violations, rowIds } = await verifyThese(db, walk, ids);
  const right = ids.filter((id) => !rowIds.includes(id));
  await db('ledger_problems').where({ walk }).whereIn('rowId', right).delete();
  await note(db, walk, rowIds);
  return { violations, rowIds };
}

async function verifyThese(db: Db, walk: Walk, ids: string[]): Promise<Findings> {
  if (walk === 'wallets') {
    const chains = await verifyWallets(db, { ids }, { keepCheckpoints: true });
    return bothOf(chains, await verifyExpired(db, { ids }));
  }
  if (walk === 'counts') return verifyCounts(db, { ids });
  return inSlice<Findings>(db, true, (tx) => verifySources(tx, walk, { ids }));
}
