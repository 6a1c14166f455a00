import type { Acting } from '../../db/audit-log.ts';
import type { Tx } from '../../db/connection.ts';
import * as imports from '../../db/imports/imports.ts';
import * as importRows from '../../db/imports/rows.ts';
import { adjust } from '../../db/ledger/adjusting.ts';
import * as wallets from '../../db/ledger/wallets.ts';
import type { ImportId, TenantId, UserId } from '../../domain/ids.ts';
import { countRows, type DecidedRow, decideRows, takesImport } from '../../domain/imports.ts';
import type { OwnedRow } from './owners.ts';

/** An import, and who approved it, or takes it back. */
export type ActedImport = { id: ImportId; tenantId: TenantId; acting: Acting };

/** Whose points moved, and how many rows were left because somebody holds their wallets. */
export type Moved = { userIds: UserId[]; left: number };

/**
 * Decides about locked rows of an import of a locked shop, and credits those whose owners are known
 * and were not brought over before: each by an adjustment with the row's id, and once. Rows whose
 * wallets somebody holds are left if \`leavesHeld\`. A wallet that takes no entry drops its row.
 */
export async function bringOver(
  tx: Tx,
  of: ActedImport,
  { rows, leavesHeld }: { rows: readonly OwnedRow[]; leavesHeld: boolean },
): Promise<Moved> {
  if (rows.length === 0) return { userIds: [], left: 0 };
  const { tenantId } = of;
  const before = await importRows.findBrought(tx, tenantId, {
    importId: of.id,
    users: rows.flatMap(({ owner }) => owner ?? []),
    fingerprints: rows.map(({ fingerprint }) => fingerprint),
  });
  const decided = decideRows(rows, before);
  const locked = await lockWallets(tx, { tenantId, decided, leavesHeld });
  const settled = decided.flatMap((each) => settledOf(each, locked) ?? []);
  const credited = settled.flatMap(({ wallet, row }) => {
    return wallet === null ? [] : { id: row.id, wallet, points: row.points };
  });
  await importRows.settle(
    tx,
    tenantId,
    settled.map(({ row, state, wallet }) => ({ id: row.id, state, walletId: wallet?.id ?? null })),
  );
  await adjust(tx, credited, { acting: of.acting, importId: of.id, reason: reasonOf(of) });
  await countSettled(tx, of, settled);
  return {
    userIds: credited.map(({ wallet }) => wallet.userId),
    left: decided.length - settled.length,
  };
}

/** Why a wallet is adjusted by an import. */
export function reasonOf({ id }: { id: ImportId }): string {
  return `import ${id}`;
}

type Settled = {
  row: OwnedRow;
  state: importRows.RowState;
  wallet: wallets.LockedWallet | null;
};

type LockedWallets = ReadonlyMap<UserId, wallets.LockedWallet>;

/** Locks the wallets of those who are brought over, made where they are missing. */
async function lockWallets(
  tx: Tx,
  {
    tenantId,
    decided,
    leavesHeld,
  }: { tenantId: TenantId; decided: readonly DecidedRow<OwnedRow>[]; leavesHeld: boolean },
): Promise<LockedWallets> {
  const owners = decided.flatMap((each) =>
    each.state === 'matched' ? { userId: each.owner, tenantId } : [],
  );
  if (owners.length === 0) return new Map();
  await wallets.ensure(tx, owners);
  const held = new Set(
    leavesHeld ? (await wallets.lockFree(tx, owners)).map(({ userId }) => userId) : [],
  );
  const free = owners.filter(({ userId }) => !held.has(userId));
  const locked = await wallets.lockAll(tx, [], free);
  return new Map(locked.map((wallet) => [wallet.userId, wallet]));
}

/** Undefined for a row that is left. */
function settledOf(each: DecidedRow<OwnedRow>, locked: LockedWallets): Settled | undefined {
  const { row, state } = each;
  if (state !== 'matched') return { row, state, wallet: null };
  const wallet = locked.get(each.owner);
  if (wallet === undefined) return undefined;
  return takesImport(wallet, row.points)
    ? { row, state: 'credited', wallet }
    : { row, state: 'dropped', wallet: null };
}

async function countSettled(
  tx: Tx,
  { id }: ActedImport,
  settled: readonly Settled[],
): Promise<void> {
  const counts = countRows(
    settled.flatMap(({ state }) => {
      if (state === 'credited') return { state: 'matched' as const };
      return state === 'waiting' || state === 'repeated' ? { state } : [];
    }),
  );
  const waited = settled.filter(({ row }) => row.state === 'waiting').length;
  await imports.count(tx, id, { ...counts, waiting: counts.waiting - waited });
}
