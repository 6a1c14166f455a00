import type { TenantId } from '../../domain/ids.ts';
import type { Provider } from '../../domain/payment.ts';
import type { Db, Tx } from '../connection.ts';
import { keptStatement } from '../kept-statement.ts';

/** Where a sale was made. */
export type SalePlace = { tenantId: TenantId; provider: Provider; locationId: string | null };

/**
 * An expression for the country by which a phone without a country code is read: that of the
 * location, as far as its provider tells it, or else the tenant's; null while neither is known.
 * `of` names a row with tenant_id, provider and location_id.
 */
export const phoneRegion = (of: string) => `coalesce(
    (select location_countries ->> coalesce(${of}.location_id, '') from pos_connections
     where tenant_id = ${of}.tenant_id and provider = ${of}.provider limit 1),
    (select country from tenants where id = ${of}.tenant_id limit 1))`;

const read = keptStatement<{ country: string | null }>(
  'phone-regions',
  `select ${phoneRegion('q')} as country
   from unnest(:tenantIds::uuid[], :providers::text[], :locationIds::text[]) with ordinality
     as q(tenant_id, provider, location_id, nth)
   order by q.nth`,
);

/**
 * Finds the country by which phones are read that were written at each place, in the same order.
 * The transaction is a reader of tenants, for which `untilReadersEnd` waits.
 */
export async function findPhoneRegions(
  tx: Tx,
  places: readonly SalePlace[],
): Promise<(string | null)[]> {
  const rows = await read(tx, {
    tenantIds: places.map(({ tenantId }) => tenantId),
    providers: places.map(({ provider }) => provider),
    locationIds: places.map(({ locationId }) => locationId),
  });
  return rows.map(({ country }) => country);
}

/** Says whether a country is known for all of the tenant's sales, for some or for none. */
export async function knownRegions(db: Db, tenantId: TenantId): Promise<'all' | 'some' | 'none'> {
  const { rows } = await db.raw<{ rows: { isAll: boolean; isAny: boolean }[] }>(
    `select country is not null as is_all, exists (
       select from pos_connections where tenant_id = :tenantId and location_countries <> '{}'
     ) as is_any
     from tenants where id = :tenantId`,
    { tenantId },
  );
  if (rows[0]?.isAll) return 'all';
  return rows[0]?.isAny ? 'some' : 'none';
}
