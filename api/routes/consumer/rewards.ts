import { z } from 'zod';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import * as rewards from '../../../db/tenants/rewards.ts';
import { type IssueCode, Refusal } from '../../../domain/errors.ts';
import { quoteReward } from '../../../domain/redemption.ts';
import { requireReward, rewardStatusOf } from '../../../domain/rewards.ts';
import { route } from '../../http/route.ts';
import {
  ConsumerRewardSchema,
  NamedRewardSchema,
  namedRewardExample,
  rewardAnswerOf,
  rewardExample,
} from '../../resources/reward.ts';
import { Confirmed, confirmedExample, issueCode } from './issued-code.ts';

const { taken: _, ...consumerExample } = rewardExample;

export const listOfferedRewards = route({
  method: 'GET',
  path: '/consumer/wallets/:walletId/rewards',
  access: 'WALLET_VIEW_OWN',
  programme: true,
  tag: 'Consumer',
  summary: 'List what a shop offers for points, by price',
  description: 'Also what is sold out, but not what has ended.',
  refusals: ['NOT_FOUND'],
  response: z.array(ConsumerRewardSchema),
  examples: { response: [{ ...consumerExample, redeemable: true, refusal: null }] },

  async handle({ params, user, db }) {
    const wallet = await redemptions.getRedeemable(db, params.walletId, user.id);
    const offered = await rewards.listOffered(db, wallet.tenantId);
    const ids = offered.map(({ id }) => id);
    const open = await rewards.listOpenCodes(db, user.id, ids);
    return offered
      .filter((reward) => rewardStatusOf(reward, reward.readAt) !== 'ended')
      .map((reward) => {
        const { taken: _taken, ...shown } = rewardAnswerOf(reward);
        const refusal = refusalOf(() => {
          quoteReward(wallet, reward);
          requireReward(reward, { now: reward.readAt, hasOpen: open.has(reward.id) });
        });
        return { ...shown, redeemable: refusal === null, refusal };
      });
  },
});

/** The code of the issue with which something is refused; null if it is not. */
function refusalOf(attempt: () => void): IssueCode | null {
  try {
    attempt();
    return null;
  } catch (error) {
    const [issue] = (error instanceof Refusal && error.issues) || [];
    if (issue === undefined) throw error;
    return issue.code;
  }
}

export const redeemReward = route({
  method: 'POST',
  path: '/consumer/wallets/:walletId/rewards/:rewardId/redeem',
  access: 'WALLET_REDEEM',
  programme: true,
  idempotent: true,
  sealed: true,
  tag: 'Consumer',
  summary: 'Redeem points for a reward',
  description:
    'A redemption as any other: it debits the price and issues a code for one use within 15 ' +
    'minutes. The least balance and the share of the rule do not apply. Of the last one, one ' +
    'customer gets it; a code that ends unused puts it back.',
  refusals: ['NOT_FOUND', 'FORBIDDEN', 'INSUFFICIENT_BALANCE', 'RULE_REJECTED'],
  issues: [
    'tenant_suspended',
    'wallet_frozen',
    'insufficient_balance',
    'points_pending',
    'no_rule',
    'reward_ended',
    'reward_limit',
    'sold_out',
  ],
  response: Confirmed.extend({ reward: NamedRewardSchema }),
  examples: {
    response: {
      ...confirmedExample,
      points: 300,
      discountValueMinorUnits: 0,
      reward: namedRewardExample,
    },
  },

  async handle({ params, user, tx, ...request }) {
    const wallet = await redemptions.lockRedeemable(tx, params.walletId, user.id);
    const reward = await rewards.lock(tx, wallet.tenantId, params.rewardId);
    const quote = quoteReward(wallet, reward);
    await rewards.take(tx, reward, user.id);
    const { id, name, kind } = reward;
    const issued = await issueCode({ tx, user, ...request }, { wallet, quote, rewardId: id });
    return { ...issued, reward: { id, name, kind } };
  },
});
