import { z } from 'zod';
import { newId } from '../../../db/new-id.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import { RedemptionId } from '../../../domain/ids.ts';
import { CODE_LIFETIME_MS, quoteRedemption } from '../../../domain/redemption.ts';
import { route } from '../../http/route.ts';
import { TenantCurrency } from '../tenant-overview.ts';

const REFUSED_BY = [
  'wallet_frozen',
  'insufficient_balance',
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
    eligiblePoints: z.int().positive(),
    discountValueMinorUnits: z.int().positive(),
    currency: TenantCurrency,
    currentBalance: z.int(),
    newBalance: z.int(),
  }),
  examples: {
    body: { pointsToRedeem: 500 },
    response: {
      eligiblePoints: 500,
      discountValueMinorUnits: 500,
      currency: 'EUR',
      currentBalance: 1250,
      newBalance: 750,
    },
  },

  async handle({ params, body, user, db }) {
    const wallet = await redemptions.getRedeemable(db, params.walletId, user.id);
    return { ...quoteRedemption({ ...body, ...wallet }), currency: wallet.currency };
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
  response: z.object({
    redemptionCode: z.string(),
    expiresAt: z.iso.datetime(),
    currency: TenantCurrency,
  }),
  examples: {
    body: { pointsToRedeem: 500 },
    response: {
      redemptionCode: '9F86D081884C',
      expiresAt: '2026-01-15T10:15:02.000Z',
      currency: 'EUR',
    },
  },

  async handle({ params, body, user, tx, afterCommit, correlationId, ...deps }) {
    const { codes, orchestrator, metrics } = deps;
    const wallet = await redemptions.lockRedeemable(tx, params.walletId, user.id);
    const quote = quoteRedemption({ ...body, ...wallet });
    const { eligiblePoints: points } = quote;

    // The id is no secret: only its consumer and the shop are answered, and the code is random.
    const redemption = { id: RedemptionId.parse(newId()), tenantId: wallet.tenantId };
    const { code, expiresAt } = await redemptions.issue(
      tx,
      { ...quote, ...redemption, points, walletId: wallet.id, lifetimeMs: CODE_LIFETIME_MS },
      () => codes.make(redemption),
    );

    afterCommit(() => metrics.codeIssued());
    afterCommit(() => orchestrator.followRedemptionLater({ ...redemption, correlationId }));
    const { currency } = wallet;
    return { redemptionCode: code.code, expiresAt: expiresAt.toISOString(), currency };
  },
});
