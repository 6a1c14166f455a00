import { z } from 'zod';
import type { Db } from '../../db/connection.ts';
import * as tenantOverview from '../../db/tenants/overview.ts';
import * as rewardRules from '../../db/tenants/reward-rules.ts';
import type { Tenant } from '../../db/tenants/tenants.ts';
import { TenantId } from '../../domain/ids.ts';
import { Onboarding } from '../../domain/onboarding.ts';
import { PROVIDERS } from '../../domain/payment.ts';
import { TENANT_STATUSES } from '../../domain/tenant-status.ts';
import { timeZoneOf } from '../../domain/time-zones.ts';
import type { ApiSettings } from '../http/deps.ts';
import { BrandingSchema, brandingExample, brandingOf } from './branding.ts';
import { joinUrlOf } from './joined-shop.ts';
import { connectionAnswerOf, PosConnection, posConnectionExample } from './pos-connection.ts';
import { RewardRuleSchema, ruleAnswerOf } from './reward-rule.ts';

/** The currency of amounts: the tenant's, which is not known before its account is connected. */
export const TenantCurrency = z
  .string()
  .nullable()
  .describe(
    'ISO 4217; null until it is known. The worth of a point is one minor unit of this currency.',
  );

/** Whether a shop goes on. */
export const ShopStatus = z
  .enum(TENANT_STATUSES)
  .describe('`suspended`: nobody earns or redeems points there. What is sold counts later.');

export const TenantOverview = z
  .object({
    tenant: z
      .object({
        id: TenantId,
        name: z.string(),
        country: z.string().nullable(),
        currency: TenantCurrency,
        timeZone: z
          .string()
          .nullable()
          .describe(
            'By whose clocks its days begin, such as `Europe/Berlin`: that of its country where ' +
              'it has a single one; null while it is not known.',
          ),
        status: ShopStatus,
        branding: BrandingSchema,
        joinUrl: z.url().describe('Where customers join: for a poster, as a QR code.'),
        onboarding: Onboarding,
      })
      .meta({ id: 'Shop', description: 'A shop, as its merchant sees it.' }),
    posConnection: PosConnection.nullable().describe(
      'The newest active connection, else the newest.',
    ),
    activeRule: RewardRuleSchema.pick({
      id: true,
      version: true,
      ruleConfig: true,
      createdBy: true,
    })
      .nullable()
      .describe('The highest version, also while it is scheduled; the list says which governs.'),
    stats: z
      .object({
        consumerCount: z.int().describe('People with a wallet at the shop.'),
        transactionCount: z.int().describe('Payments that were brought in.'),
      })
      .meta({ id: 'ShopCounts', description: 'Counts over the whole time.' }),
  })
  .meta({ id: 'TenantOverview' });

export const tenantOverviewExample = {
  tenant: {
    id: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
    name: 'Corner Café',
    country: 'DE',
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
    status: 'active',
    branding: brandingExample,
    joinUrl: 'https://app.shop.example/join/9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
    onboarding: {
      posProviderPreference: PROVIDERS[0],
      businessName: 'Corner Café',
      country: 'DE',
      profile: { city: 'Berlin', taxId: 'DE123456789' },
    },
  },
  posConnection: posConnectionExample,
  activeRule: {
    id: '0f8b8f6e-58a5-4d0e-8a1f-0c8f1c4b9d11',
    version: 3,
    ruleConfig: {
      conversionRate: 0.1,
      minSpendMinorUnits: 500,
      maxPointsPerTransaction: 1000,
      minBalanceToRedeem: 100,
      maxRedemptionPercentage: 50,
      roundingPolicy: 'floor',
      effectiveFrom: '2026-01-15T10:00:00.000Z',
    },
    createdBy: { userId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c', email: 'merchant@example.com' },
  },
  stats: { consumerCount: 418, transactionCount: 2931 },
} as const;

/** Reads the overview of a tenant, as its merchant and administrators see it. */
export async function overviewOf(db: Db, tenant: Tenant, settings: ApiSettings) {
  const { id, name, country, currency, status } = tenant;
  const timeZone = timeZoneOf(tenant, new Date()) ?? null;
  const overview = await tenantOverview.get(db, id);
  const [rule] = await rewardRules.list(db, id, { limit: 1 });
  const { onboarding, posConnection, consumerCount, transactionCount } = overview;
  const branding = brandingOf(settings, tenant);
  const joinUrl = joinUrlOf(settings, id);
  return {
    tenant: { id, name, country, currency, timeZone, status, branding, joinUrl, onboarding },
    posConnection: posConnection && connectionAnswerOf(posConnection),
    activeRule: rule === undefined ? null : ruleAnswerOf(rule),
    stats: { consumerCount, transactionCount },
  };
}
