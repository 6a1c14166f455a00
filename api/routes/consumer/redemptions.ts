import { z } from 'zod';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import { quoteRedemption, redeemableOf } from '../../../domain/redemption.ts';
import { route } from '../../http/route.ts';
import { RedeemedWorth } from '../../resources/redemption.ts';
import { TenantCurrency } from '../../resources/tenant-overview.ts';
import { RedeemableSchema } from '../../resources/wallet.ts';
import { Confirmed, confirmedExample, issueCode } from './issued-code.ts';

const REFUSED_BY = [
  'tenant_suspended',
  'wallet_frozen',
  'insufficient_balance',
  'points_pending',
  'no_rule',
  'below_minimum_balance',
  'above_maximum_share',
] as const;

const RedeemRequest = z.object({ pointsToRedeem: z.int().positive() });

export const previewRedemption = route({
  method: 'POST',
  path: '/consumer/wallets/:walletId/redeem/preview',
  access: 'WALLET_REDEEM',
  limit: 'reads',
  tag: 'Consumer',
  summary: 'Preview a redemption of points',
  description: 'Returns or refuses what a confirmation would at this moment, and changes nothing.',
  refusals: ['NOT_FOUND', 'FORBIDDEN', 'INSUFFICIENT_BALANCE', 'RULE_REJECTED'],
  issues: REFUSED_BY,
  body: RedeemRequest,
  response: z.object({
    eligiblePoints: z.int().positive().describe('The points that a confirmation would redeem.'),
    discountValueMinorUnits: RedeemedWorth.shape.discountValueMinorUnits,
    currency: TenantCurrency,
    currentBalance: z.int().describe('Points before the redemption.'),
    newBalance: z.int().describe('Points after the redemption.'),
    redeemable: RedeemableSchema.describe('What a confirmation accepts of the current balance.'),
  }),
  examples: {
    body: { pointsToRedeem: 500 },
    response: {
      eligiblePoints: 500,
      discountValueMinorUnits: 500,
      currency: 'EUR',
      currentBalance: 1250,
      newBalance: 750,
      redeemable: { min: 1, max: 625 },
    },
  },

  async handle({ params, body, user, db }) {
    const wallet = await redemptions.getRedeemable(db, params.walletId, user.id);
    const { currency } = wallet;
    const quote = quoteRedemption({ ...body, ...wallet });
    return { ...quote, currency, redeemable: redeemableOf(wallet) };
  },
});

export const confirmRedemption = route({
  method: 'POST',
  path: '/consumer/wallets/:walletId/redeem/confirm',
  access: 'WALLET_REDEEM',
  idempotent: true,
  sealed: true,
  tag: 'Consumer',
  summary: 'Redeem points for a code',
  description:
    'Debits the wallet and issues a code for one use within 15 minutes, which is also mailed. ' +
    'The points of a code that expires unused are credited back.',
  refusals: ['NOT_FOUND', 'FORBIDDEN', 'INSUFFICIENT_BALANCE', 'RULE_REJECTED'],
  issues: REFUSED_BY,
  body: RedeemRequest,
  response: Confirmed,
  examples: { body: { pointsToRedeem: 500 }, response: confirmedExample },

  async handle({ params, body, user, tx, ...request }) {
    const wallet = await redemptions.lockRedeemable(tx, params.walletId, user.id);
    const quote = quoteRedemption({ ...body, ...wallet });
    return issueCode({ tx, user, ...request }, { wallet, quote, rewardId: null });
  },
});
