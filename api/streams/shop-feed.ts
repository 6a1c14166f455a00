import { listShopChanges, type ShopChange } from '../../db/changes/since.ts';
import { listUsedAmong } from '../../db/redemptions/used.ts';
import type { TenantId } from '../../domain/ids.ts';
import type { Deps } from '../http/deps.ts';
import { UsedRedemptionSchema, usedRedemptionAnswerOf } from '../resources/redemption.ts';
import type { Feed } from './feed.ts';
import { createRenderer } from './renderer.ts';

/** Creates the feed of codes that are used at the tills of shops. */
export function createShopFeed({ log }: Pick<Deps, 'log'>): Feed<TenantId, ShopChange> {
  return {
    name: 'shop',
    listChanges: listShopChanges,

    async render(db, tenantIds, changes) {
      const { rendered, add } = createRenderer(log);
      const ids = changes.map(({ id }) => id);
      for (const used of await listUsedAmong(db, tenantIds, ids)) {
        add(used.id, 'redemption', () => UsedRedemptionSchema.parse(usedRedemptionAnswerOf(used)));
      }
      return rendered;
    },
  };
}
