import { Refusal } from '../../domain/errors.ts';
import type { TenantId } from '../../domain/ids.ts';
import type { Onboarding, OnboardingPatch, ShopProfile } from '../../domain/onboarding.ts';
import type { Db, Tx } from '../connection.ts';
import * as posConnections from '../connections/pos-connections.ts';
import { one } from '../one.ts';
import * as currencies from './currency.ts';
import * as statistics from './statistics.ts';

/** What a merchant sees of a tenant besides its name. */
export type TenantOverview = {
  onboarding: Onboarding;
  /** The newest active one, else the newest. */
  posConnection: posConnections.ConnectionSummary | null;
  consumerCount: number;
  transactionCount: number;
};

/** Returns the overview of a tenant, which must exist. */
export async function get(db: Db, tenantId: TenantId): Promise<TenantOverview> {
  const tenants = await db('tenants')
    .where('id', tenantId)
    .select<{ onboarding: Onboarding }[]>('onboarding');
  const { onboarding } = one(tenants, 'tenant');
  return {
    onboarding,
    posConnection: (await posConnections.findPrimary(db, tenantId)) ?? null,
    consumerCount: await statistics.countOne(db, 'wallets', tenantId),
    transactionCount: await statistics.countOne(db, 'payments', tenantId),
  };
}

const SHOP_PROFILE = ['name', 'country', 'currency', 'onboarding'];

/**
 * Merges a patch into a tenant's onboarding, key by key; null removes a key. A business name and a
 * country are set on the tenant as well, and so is a currency while there is none. Concurrent
 * patches of different keys are all kept. Returns what the tenant was and is. Throws
 * VALIDATION_ERROR for another currency than the tenant has; the transaction must then be rolled
 * back.
 */
export async function mergeOnboarding(
  tx: Tx,
  tenantId: TenantId,
  { currency: wanted, ...patch }: OnboardingPatch,
): Promise<{ before: ShopProfile; after: ShopProfile }> {
  const before = one(
    await tx('tenants').where('id', tenantId).forNoKeyUpdate().select<ShopProfile[]>(SHOP_PROFILE),
    'tenant',
  );
  const currency = await currencies.settle(tx, tenantId, wanted ?? null);
  if (wanted !== undefined && currency !== wanted) {
    const message = `The currency is ${currency} already. Ask support if that is wrong.`;
    throw new Refusal('VALIDATION_ERROR', message, { issue: 'currency_set', params: { currency } });
  }
  const { profile, ...fields } = patch;
  const { rows } = await tx.raw<{ rows: ShopProfile[] }>(
    `update tenants set
       onboarding = jsonb_strip_nulls(
         onboarding || :fields::jsonb || case jsonb_typeof(:profile::jsonb)
           when 'object' then jsonb_build_object('profile',
             coalesce(onboarding -> 'profile', '{}') || :profile::jsonb)
           when 'null' then '{"profile": null}'
           else '{}' end),
       name = coalesce(:name, name),
       country = case when :setsCountry then :country else country end,
       updated_at = now()
     where id = :tenantId
     returning ${SHOP_PROFILE.join()}`,
    {
      tenantId,
      fields: JSON.stringify(fields),
      profile: profile === undefined ? null : JSON.stringify(profile),
      name: patch.businessName ?? null,
      setsCountry: patch.country !== undefined,
      country: patch.country ?? null,
    },
  );
  return { before, after: one(rows, 'tenant') };
}
