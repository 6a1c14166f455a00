import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';

// Operators find runs by these attributes in the Temporal UI. The namespace must have them, since
// the server refuses a run that names an unknown one; worker/search-attributes.ts checks it.

export const TENANT_IDS = defineSearchAttributeKey('TenantIds', 'KEYWORD_LIST');
export const PROVIDER = defineSearchAttributeKey('Provider', 'KEYWORD');
export const CONNECTION_ID = defineSearchAttributeKey('ConnectionId', 'KEYWORD');

/** Every search attribute that our runs carry. */
export const SEARCH_ATTRIBUTES = [TENANT_IDS, PROVIDER, CONNECTION_ID] as const;

/** A search attribute holds no more ids in its 2 KiB. */
const MAX_NAMED_TENANTS = 40;

/** The search attributes of a run that concerns several tenants: the first of them. */
export function tenantsAttributes(tenantIds: readonly string[]): SearchAttributePair[] {
  return [{ key: TENANT_IDS, value: tenantIds.slice(0, MAX_NAMED_TENANTS) }];
}

/** The search attributes of a run of ingestion: its provider, and the first of its tenants. */
export function ingestAttributes(
  provider: string,
  tenantIds: readonly string[],
): SearchAttributePair[] {
  return [...tenantsAttributes(tenantIds), { key: PROVIDER, value: provider }];
}

/** The search attributes of a run that concerns one tenant. */
export function tenantAttributes(tenantId: string): SearchAttributePair[] {
  return tenantsAttributes([tenantId]);
}

/** The connection that a run concerns. */
export type ConnectionRun = { tenantId: string; provider: string; connectionId: string };

/** The search attributes of a run that concerns one connection. */
export function connectionAttributes({
  tenantId,
  provider,
  connectionId,
}: ConnectionRun): SearchAttributePair[] {
  return [
    ...tenantAttributes(tenantId),
    { key: PROVIDER, value: provider },
    { key: CONNECTION_ID, value: connectionId },
  ];
}
