import { z } from 'zod';
import { TenantId, WalletId } from '../../domain/ids.ts';
import { BrandingSchema, brandingExample } from './branding.ts';

/** A shop as somebody sees it who may join it. */
export const JoinableShopSchema = z
  .object({
    tenantId: TenantId,
    name: z.string().describe('The name of the shop.'),
    branding: BrandingSchema,
    walletId: WalletId.nullable().describe('Your wallet there; null if you have none.'),
  })
  .meta({ id: 'JoinableShop' });

export const joinableShopExample = {
  tenantId: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
  name: 'Corner Café',
  branding: brandingExample,
  walletId: null,
} as const;

/** The address at which customers join a shop: what its poster leads to. */
export function joinUrlOf({ frontendUrl }: { frontendUrl: string }, tenantId: TenantId): string {
  return `${frontendUrl}/join/${tenantId}`;
}
