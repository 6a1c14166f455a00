import type { WalletId } from '../../domain/ids.ts';
import { leafText, type SignedHead } from '../../domain/statement.ts';
import { inclusionPath, leafHash, merkleRoot } from './merkle-tree.ts';

/** The root of the tree over the wallets of a statement, in hexadecimal. */
export function rootOfWallets(wallets: readonly SignedHead[]): string {
  return merkleRoot(wallets.map(hashOf)).toString('hex');
}

/** Where a wallet is in the tree, and its path to the root; undefined when it is not in it. */
export function inclusionOf(
  wallets: readonly SignedHead[],
  walletId: WalletId,
): { seq: number; index: number; path: string[] } | undefined {
  const index = wallets.findIndex((wallet) => wallet.walletId === walletId);
  const wallet = wallets[index];
  if (wallet === undefined) return undefined;
  const path = inclusionPath(wallets.map(hashOf), index);
  return { seq: wallet.seq, index, path: path.map((hash) => hash.toString('hex')) };
}

const hashOf = (wallet: SignedHead) => leafHash(leafText(wallet));
