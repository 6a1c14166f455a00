import type { Tx } from '../../db/connection.ts';
import * as imports from '../../db/imports/imports.ts';
import * as importRows from '../../db/imports/rows.ts';
import { adjust } from '../../db/ledger/adjusting.ts';
import * as wallets from '../../db/ledger/wallets.ts';
import { newId } from '../../db/new-id.ts';
import { type ActedImport, type Moved, reasonOf } from './bring-over.ts';

/**
 * Takes locked rows of an import of a locked shop back: drops those that wait, and debits the
 * points of the others as far as their wallets hold them. What was used is counted as not taken.
 * Rows whose wallets somebody holds are left if `leavesHeld`.
 */
export async function takeBack(
  tx: Tx,
  of: ActedImport,
  { rows, leavesHeld }: { rows: readonly importRows.StoredRow[]; leavesHeld: boolean },
): Promise<Moved> {
  if (rows.length === 0) return { userIds: [], left: 0 };
  const ids = rows.flatMap(({ walletId }) => walletId ?? []);
  const locked = leavesHeld
    ? await wallets.lockAllFree(tx, ids)
    : await wallets.lockAll(tx, ids, []);
  const byId = new Map(locked.map((wallet) => [wallet.id, wallet]));
  const waiting = rows.filter(({ state }) => state === 'waiting');
  const credited = rows.flatMap(({ id, walletId, points }) => {
    const wallet = walletId === null ? undefined : byId.get(walletId);
    if (wallet === undefined) return [];
    return { id, wallet, points, taken: Math.min(points, wallet.balance) };
  });
  await importRows.settle(tx, of.tenantId, [
    ...waiting.map(({ id }) => ({ id, state: 'dropped' as const, walletId: null })),
    ...credited.map(({ id, wallet }) => ({ id, state: 'reverted' as const, walletId: wallet.id })),
  ]);
  const taking = credited.filter(({ taken }) => taken > 0);
  await adjust(
    tx,
    taking.map(({ wallet, taken }) => ({ id: newId(), wallet, points: -taken })),
    { acting: of.acting, importId: of.id, reason: reasonOf(of) },
  );
  await imports.count(tx, of.id, {
    matched: 0,
    waiting: -waiting.length,
    repeated: 0,
    notTaken: credited.reduce((sum, { points, taken }) => sum + points - taken, 0),
  });
  return {
    userIds: taking.map(({ wallet }) => wallet.userId),
    left: rows.length - waiting.length - credited.length,
  };
}
