import { z } from 'zod';
import type { Colleague, OwnRedemption } from '../../db/redemptions/listing.ts';
import type { UsedRedemption } from '../../db/redemptions/used.ts';
import { RedemptionId, TenantId, UserId, WalletId } from '../../domain/ids.ts';
import { initialsOf, maskContacts } from '../../domain/privacy.ts';
import { REDEMPTION_STATUSES } from '../../domain/redemption.ts';
import type { Deps } from '../http/deps.ts';
import { NamedRewardSchema } from './reward.ts';
import { TenantCurrency } from './tenant-overview.ts';

const tenant = { id: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42', name: 'Corner Café' };

/** What points were redeemed, and the discount that they are. */
export const RedeemedWorth = z.object({
  points: z.int().positive().describe('The points that were redeemed.'),
  discountValueMinorUnits: z
    .int()
    .nonnegative()
    .describe('What the till takes off, in minor units of the currency; 0 for an item.'),
  currency: TenantCurrency,
});

/** What the reward of a redemption is, wherever one is shown. */
export const REWARD_TEXT = 'What the code is for; null for points that the till takes off.';

/** A redemption as its consumer sees it. */
export const RedemptionSchema = z
  .object({
    id: RedemptionId,
    walletId: WalletId,
    tenant: z.object({ id: TenantId, name: z.string().describe('The name of the shop.') }),
    status: z
      .enum(REDEMPTION_STATUSES)
      .describe('`issued`: the code can be used. `expired`: overdue or cancelled, and not used.'),
    cancelled: z
      .boolean()
      .describe('Whether its consumer or an administrator cancelled it; it is `expired` then.'),
    ...RedeemedWorth.shape,
    issuedAt: z.iso.datetime().describe('When the points were exchanged for the code.'),
    expiresAt: z.iso.datetime().describe('From then on the code cannot be used.'),
    usedAt: z.iso.datetime().nullable().describe('Null unless the status is `used`.'),
    reward: NamedRewardSchema.nullable().describe(REWARD_TEXT),
    code: z.string().nullable().describe('Null unless the status is `issued`.'),
  })
  .meta({ id: 'Redemption' });

export const redemptionExample = {
  id: '1d7f0a5b-7c21-4a53-9a11-6f9d4f635c0e',
  walletId: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  tenant,
  status: 'issued',
  cancelled: false,
  points: 500,
  discountValueMinorUnits: 500,
  currency: 'EUR',
  issuedAt: '2026-01-15T10:00:02.000Z',
  expiresAt: '2026-01-15T10:15:02.000Z',
  usedAt: null,
  reward: null,
  code: '9F86D081884C',
} as const;

/** Builds what everybody who may see a redemption sees of it: all but its code. */
export function withoutCode(redemption: Omit<OwnRedemption, 'sealedCode'>) {
  const { id, walletId, tenantId, tenantName, usedAt } = redemption;
  const { status, cancelled, points, discountValueMinorUnits, currency, reward } = redemption;
  return {
    id,
    walletId,
    tenant: { id: tenantId, name: tenantName },
    status,
    cancelled,
    points,
    discountValueMinorUnits,
    currency,
    issuedAt: redemption.issuedAt.toISOString(),
    expiresAt: redemption.expiresAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
    reward,
  };
}

/** Builds the resource of a redemption for its consumer, with the code while it can be used. */
export function redemptionAnswerOf(
  redemption: OwnRedemption,
  { codes, log }: Pick<Deps, 'codes' | 'log'>,
) {
  const { id, tenantId, status, sealedCode } = redemption;
  let code: string | null = null;
  try {
    if (status === 'issued' && sealedCode) code = codes.open(sealedCode, { id, tenantId });
  } catch (error) {
    // Its key is gone. One such code must not take a whole list with it.
    const event = 'redemption_code_unreadable';
    log.error({ event, err: error, redemptionId: id }, 'A redemption code cannot be opened');
  }
  return { ...withoutCode(redemption), code };
}

/** A person of whom no more than is needed is shown. */
export const MaskedPerson = z.object({
  userId: UserId,
  email: z.string().nullable().describe('Masked except for its first letter and its domain.'),
});

/** A person as those who work in the same shop see them, who may have to ask each other. */
export const ColleagueSchema = MaskedPerson.extend({
  name: z.string().nullable().describe('As the identity provider says; null if it says none.'),
}).meta({ id: 'Colleague' });

export const colleagueExample = {
  userId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c',
  email: 'g***@example.com',
  name: 'George Boole',
} as const;

/** Builds what colleagues and their merchant see of a person. */
export function colleagueOf({ userId, email, name }: Colleague) {
  return { userId, email: maskContacts({ email, phone: null }).email, name };
}

/** A customer at a till, recognised without their name. */
export const CustomerAtTill = z.object({ initials: z.string() });

/** A used code as the shop's tills see it. */
export const UsedRedemptionSchema = z
  .object({
    id: RedemptionId,
    ...RedeemedWorth.shape,
    reward: NamedRewardSchema.nullable().describe(REWARD_TEXT),
    usedAt: z.iso.datetime(),
    usedBy: ColleagueSchema.describe('The operator who completed it.'),
    customer: CustomerAtTill,
  })
  .meta({ id: 'UsedRedemption' });

export const usedRedemptionExample = {
  id: redemptionExample.id,
  points: 500,
  discountValueMinorUnits: 500,
  currency: 'EUR',
  reward: null,
  usedAt: '2026-01-15T10:04:40.000Z',
  usedBy: colleagueExample,
  customer: { initials: 'AL' },
} as const;

/** Builds what a till sees of a used code. */
export function usedRedemptionAnswerOf({ usedAt, usedBy, customer, ...used }: UsedRedemption) {
  return {
    ...used,
    usedAt: usedAt.toISOString(),
    usedBy: colleagueOf(usedBy),
    customer: { initials: initialsOf(customer) },
  };
}
