import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import { MAX_TENANTS_PER_RUN } from '../domain/ingest-batch.ts';

/** What a run can be found by in the Temporal UI. Registered when the worker starts. */
export const TENANT_IDS = defineSearchAttributeKey('TenantIds', 'KEYWORD_LIST');
export const PROVIDER = defineSearchAttributeKey('Provider', 'KEYWORD');

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

/** Makes a run findable by its tenant. */
export function tenantAttributes(tenantId: string): SearchAttributePair[] {
  return [{ key: TENANT_IDS, value: [tenantId] }];
}

/** How the run of a redemption introduces itself in the Temporal UI. */
export const REDEMPTION_SUMMARY = 'Redemption: mails the code, expires it when unused';

/** How the run of a notice introduces itself in the Temporal UI. */
export function notifySummary(kind: string): string {
  return `Notice: sends the ${kind}`;
}
