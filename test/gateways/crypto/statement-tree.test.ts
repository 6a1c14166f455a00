import { describe, expect, it } from 'vitest';
import { WalletId } from '../../../domain/ids.ts';
import { leafText } from '../../../domain/statement.ts';
import { leafHash, rootFromPath } from '../../../gateways/crypto/merkle-tree.ts';
import { inclusionOf, rootOfWallets } from '../../../gateways/crypto/statement-tree.ts';
import { required } from '../../support/factories.ts';

const wallets = [1, 2, 3, 4, 5].map((nth) => ({
  walletId: WalletId.parse(`6f9d4f63-5c0e-4a53-9a11-00000000000${nth}`),
  seq: nth * 10,
  head: `0${nth}`.repeat(32),
}));

describe('the tree over wallets', () => {
  it('includes each wallet at its place, with its entry', () => {
    for (const [index, wallet] of wallets.entries()) {
      const found = required(inclusionOf(wallets, wallet.walletId));
      expect(found).toMatchObject({ index, seq: wallet.seq });
      const path = found.path.map((hash) => Buffer.from(hash, 'hex'));
      const root = rootFromPath(leafHash(leafText(wallet)), { index, size: 5, path });
      expect(root?.toString('hex')).toBe(rootOfWallets(wallets));
    }
  });

  it('has no place for another wallet', () => {
    const other = WalletId.parse('6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21');
    expect(inclusionOf(wallets, other)).toBeUndefined();
  });
});
