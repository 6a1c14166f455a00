import { z } from 'zod';
import type { Tx } from '../../../db/connection.ts';
import { newId } from '../../../db/new-id.ts';
import * as redemptions from '../../../db/redemptions/redemptions.ts';
import { RedemptionId, type RewardId, type UserId } from '../../../domain/ids.ts';
import { CODE_LIFETIME_MS, type Quote } from '../../../domain/redemption.ts';
import type { Deps } from '../../http/deps.ts';
import type { AfterCommit } from '../../http/route.ts';
import { RedeemedWorth } from '../../resources/redemption.ts';

/** The answer to a redemption of points. */
export const Confirmed = z.object({
  redemptionCode: z.string().describe('What to show at the till: 12 hexadecimal digits.'),
  expiresAt: z.iso.datetime().describe('From then on the code cannot be used.'),
  redemptionId: RedemptionId.describe('Names the redemption in lists, and to cancel it.'),
  ...RedeemedWorth.shape,
});

export const confirmedExample = {
  redemptionCode: '9F86D081884C',
  expiresAt: '2026-01-15T10:15:02.000Z',
  redemptionId: '1d7f0a5b-7c21-4a53-9a11-6f9d4f635c0e',
  points: 500,
  discountValueMinorUnits: 500,
  currency: 'EUR',
} as const;

type Issuing = Pick<Deps, 'codes' | 'orchestrator' | 'metrics' | 'announce'> & {
  tx: Tx;
  user: { id: UserId };
  afterCommit: AfterCommit;
  correlationId: string;
};

/**
 * Debits a wallet, which is locked, by what was quoted, and issues a code for it. Once that is
 * committed its run is started, and all who look on are told.
 */
export async function issueCode(
  { tx, user, afterCommit, correlationId, ...deps }: Issuing,
  issued: {
    wallet: redemptions.RedeemableWallet;
    quote: Quote;
    rewardId: RewardId | null;
  },
) {
  const { codes, orchestrator, metrics, announce } = deps;
  const { wallet, quote, rewardId } = issued;
  const { eligiblePoints: points, discountValueMinorUnits } = quote;
  // The id is no secret: only its consumer and the shop are answered, and the code is random.
  const redemption = { id: RedemptionId.parse(newId()), tenantId: wallet.tenantId };
  const terms = { ...quote, rewardId, points, walletId: wallet.id, lifetimeMs: CODE_LIFETIME_MS };
  const { code, expiresAt } = await redemptions.issue(tx, { ...terms, ...redemption }, () =>
    codes.make(redemption),
  );
  afterCommit(() => metrics.codeIssued());
  afterCommit(() => announce({ userIds: [user.id] }));
  afterCommit(() => orchestrator.followRedemptionLater({ ...redemption, correlationId }));
  return {
    redemptionCode: code.code,
    expiresAt: expiresAt.toISOString(),
    redemptionId: redemption.id,
    points,
    discountValueMinorUnits,
    currency: wallet.currency,
  };
}
