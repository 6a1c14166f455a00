import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';

/** What a run can be found by in the Temporal UI. Registered when the worker starts. */
export const TENANT_IDS = defineSearchAttributeKey('TenantIds', 'KEYWORD_LIST');
export const PROVIDER = defineSearchAttributeKey('Provider', 'KEYWORD');

/** A search attribute holds 2 KiB at most: this many ids fit, and a hand-over has no more tenants. */
export const MAX_TENANTS_PER_RUN = 40;

/** Makes a run of ingestion findable by its tenants and its provider. */
export function ingestAttributes(
  provider: string,
  tenantIds: readonly string[],
): SearchAttributePair[] {
  return [
    { key: TENANT_IDS, value: tenantIds.slice(0, MAX_TENANTS_PER_RUN) },
    { key: PROVIDER, value: provider },
  ];
}

/** How a run of ingestion introduces itself in the Temporal UI. */
export function ingestSummary(provider: string, events: number): string {
  return `${provider} ingest, ${events} ${events === 1 ? 'event' : 'events'}`;
}
