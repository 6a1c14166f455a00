import { readOffers } from '../../../db/payments/offers.ts';
import * as campaigns from '../../../db/tenants/campaigns.ts';
import { requireFewer } from '../../../db/tenants/published.ts';
import type { UserId } from '../../../domain/ids.ts';
import { at, type Case, LIMIT, tenantId, walletId } from './cases.ts';
import { idOf } from './rows.ts';

/** The campaigns of the first tenant that are open, of as many as there are rows. */
const OPEN = 20;
/** Awards of the last hour, which are not added up yet. */
const RECENT = 60;
const users = (count: number) =>
  Array.from({ length: count }, (_, nth) => idOf('user', nth + 1) as UserId);

/** Campaigns, what sales get of them, and what they have given. */
export const CAMPAIGNS: readonly Case[] = [
  ...[undefined, at.campaign].map(
    (before): Case => ({
      covers: 'tenants/campaigns.list',
      // Each with its sum, and what it gave since.
      rows: 2 * LIMIT + RECENT,
      run: (tx) => campaigns.list(tx, tenantId, { limit: LIMIT, before }),
    }),
  ),
  {
    covers: 'tenants/campaigns.get',
    rows: 2 + RECENT,
    run: (tx) => campaigns.get(tx, tenantId, at.campaign),
  },
  {
    covers: 'tenants/campaigns.listRunningFor',
    rows: 2 * OPEN + RECENT + 1,
    run: (tx) => campaigns.listRunningFor(tx, tenantId, walletId),
  },
  ...(['campaigns', 'rewards'] as const).map(
    (table): Case => ({
      covers: 'tenants/published.requireFewer',
      when: `of ${table}`,
      rows: OPEN,
      run: (tx) => requireFewer(tx, table, { tenantId, most: 2 * OPEN }),
    }),
  ),
  ...[1, 500].map(
    (count): Case => ({
      covers: 'payments/offers.readOffers',
      when: `of ${count} consumers`,
      // Each campaign with its tenant; of each consumer a wallet, an entry, and a tier.
      rows: 4 * OPEN + RECENT + 4 * count,
      run: (tx) => readOffers(tx, [{ tenantId, userIds: users(count) }]),
    }),
  ),
];
