import { type ConsumerChange, listConsumerChanges } from '../../db/changes/since.ts';
import * as wallets from '../../db/ledger/wallets.ts';
import * as redemptions from '../../db/redemptions/listing.ts';
import type { UserId } from '../../domain/ids.ts';
import type { Deps } from '../http/deps.ts';
import { RedemptionSchema, redemptionAnswerOf } from '../resources/redemption.ts';
import { WalletSchema, walletAnswerOf } from '../resources/wallet.ts';
import type { Feed } from './feed.ts';
import { createRenderer } from './renderer.ts';

/** Creates the feed of people's own wallets and redemptions. */
export function createConsumerFeed(
  deps: Pick<Deps, 'settings' | 'codes' | 'log'>,
): Feed<UserId, ConsumerChange> {
  return {
    name: 'consumer',
    listChanges: listConsumerChanges,

    async render(db, userIds, changes) {
      const { rendered, add } = createRenderer(deps.log);
      const walletIds = changes.flatMap((each) => (each.kind === 'wallet' ? [each.id] : []));
      if (walletIds.length > 0) {
        for (const wallet of await wallets.listOwned(db, userIds, walletIds)) {
          add(wallet.id, 'wallet', () => WalletSchema.parse(walletAnswerOf(wallet, deps.settings)));
        }
      }
      const codeIds = changes.flatMap((each) => (each.kind === 'redemption' ? [each.id] : []));
      if (codeIds.length > 0) {
        for (const redemption of await redemptions.listOwned(db, userIds, codeIds)) {
          add(redemption.id, 'redemption', () =>
            RedemptionSchema.parse(redemptionAnswerOf(redemption, deps)),
          );
        }
      }
      return rendered;
    },
  };
}
