import * as rewards from '../../../db/tenants/rewards.ts';
import type { RewardId } from '../../../domain/ids.ts';
import { at, type Case, LIMIT, manyOf, tenantId, userId } from './cases.ts';

/** The rewards of the first tenant that are open, of as many as there are rows. */
const OPEN = 20;
const ids = manyOf(LIMIT, 'reward') as RewardId[];

/** What shops offer for points. */
export const REWARDS: readonly Case[] = [
  ...[undefined, at.reward].map(
    (before): Case => ({
      covers: 'tenants/rewards.list',
      rows: LIMIT + 1,
      run: (tx) => rewards.list(tx, tenantId, { limit: LIMIT, before }),
    }),
  ),
  {
    covers: 'tenants/rewards.listOffered',
    rows: OPEN,
    run: (tx) => rewards.listOffered(tx, tenantId),
  },
  {
    covers: 'tenants/rewards.listOpenCodes',
    rows: LIMIT,
    run: (tx) => rewards.listOpenCodes(tx, userId, ids),
  },
  {
    covers: 'tenants/rewards.get',
    rows: 1,
    run: (tx) => rewards.get(tx, tenantId, at.reward),
  },
  {
    covers: 'tenants/rewards.rewardFactor',
    rows: OPEN,
    run: (tx) => rewards.rewardFactor(tx, tenantId),
  },
];
