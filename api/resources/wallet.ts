import { z } from 'zod';
import type { WalletView } from '../../db/ledger/wallets.ts';
import { TenantId, WalletId } from '../../domain/ids.ts';
import {
  availableOf,
  leastRedeemable,
  redeemableOf,
  worthMinorUnits,
} from '../../domain/redemption.ts';
import type { ApiSettings } from '../http/deps.ts';
import { BrandingSchema, brandingExample, brandingOf } from './branding.ts';
import { TenantCurrency } from './tenant-overview.ts';

/** How many points a confirmation accepts. */
export const RedeemableSchema = z
  .object({
    min: z.int().describe('The fewest points; 0 when none can be redeemed.'),
    max: z
      .int()
      .describe(
        'The most points. 0 when none can be redeemed: the wallet is frozen, the shop is ' +
          'suspended, what is available is below what the rule requires, its share of 24 hours ' +
          'is used up, or no rule is in effect.',
      ),
  })
  .meta({ id: 'Redeemable' });

/** A wallet as its owner sees it. */
export const WalletSchema = z
  .object({
    id: WalletId,
    tenantId: TenantId.describe('The shop whose points these are.'),
    balance: z.int().describe('Points: the sum of the credits minus the sum of the debits.'),
    owed: z
      .int()
      .describe(
        'Points of purchases that were refunded after their points were used. They will be taken ' +
          'from what the wallet gets next; while there are any, the balance is 0.',
      ),
    pending: z
      .int()
      .describe(
        'Points of sales that can still be returned: they cannot be redeemed yet. It may exceed ' +
          'the balance, once points of it were spent.',
      ),
    available: z.int().describe('What of the balance can be used now; not less than 0.'),
    nextRelease: z.iso
      .datetime()
      .nullable()
      .describe('When the first of the pending points can be used; null if no points are pending.'),
    status: z
      .enum(['active', 'frozen'])
      .describe('`frozen`: nothing can be redeemed, everything else goes on.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime().describe('When balance, debts or status last changed.'),
    tenant: z.object({
      id: TenantId,
      name: z.string().describe('The name of the shop.'),
      branding: BrandingSchema,
    }),
    currency: TenantCurrency,
    worthMinorUnits: z.int().describe('The worth of the balance, in minor units of the currency.'),
    redeemable: RedeemableSchema.describe('What a confirmation accepts at this moment.'),
    redeemsFrom: z
      .int()
      .nullable()
      .describe(
        'What has to be available before points can be redeemed. Null without a rule in effect.',
      ),
    earning: z
      .object({
        conversionRate: z.number().describe('Points for each minor unit of the amount paid.'),
        minSpendMinorUnits: z.int().describe('Smaller payments earn nothing.'),
      })
      .nullable()
      .describe('What payments earn by the rule in effect. Null when there is none.'),
  })
  .meta({ id: 'Wallet' });

export const walletExample = {
  id: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  tenantId: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
  balance: 1250,
  owed: 0,
  pending: 0,
  available: 1250,
  nextRelease: null,
  status: 'active',
  createdAt: '2026-01-15T10:00:00.000Z',
  updatedAt: '2026-01-15T10:00:02.000Z',
  tenant: {
    id: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
    name: 'Corner Café',
    branding: brandingExample,
  },
  currency: 'EUR',
  worthMinorUnits: 1250,
  redeemable: { min: 1, max: 625 },
  redeemsFrom: 2,
  earning: { conversionRate: 0.1, minSpendMinorUnits: 500 },
} as const;

/** Builds the resource of a wallet. */
export function walletAnswerOf(wallet: WalletView, settings: ApiSettings) {
  const { rule, tenantId, tenantName, tenantStatus: _, ...others } = wallet;
  const { tenantLogoPath: logoPath, tenantColor: color, ...shown } = others;
  const branding = brandingOf(settings, { logoPath, color });
  return {
    ...shown,
    tenantId,
    available: availableOf(wallet),
    nextRelease: wallet.nextRelease?.toISOString() ?? null,
    createdAt: wallet.createdAt.toISOString(),
    updatedAt: wallet.updatedAt.toISOString(),
    tenant: { id: tenantId, name: tenantName, branding },
    worthMinorUnits: worthMinorUnits(wallet.balance),
    redeemable: redeemableOf(wallet),
    redeemsFrom: rule && leastRedeemable(rule),
    earning: rule && {
      conversionRate: Number(rule.conversionRate),
      minSpendMinorUnits: rule.minSpendMinorUnits,
    },
  };
}
