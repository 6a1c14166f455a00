import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import { MAX_TENANTS_PER_RUN } from '../domain/ingest-counts.ts';

/** What a run can be found by in the Temporal UI. Registered when the worker starts. */
export const TENANT_IDS = defineSearchAttributeKey('TenantIds', 'KEYWORD_LIST');
export const PROVIDER = defineSearchAttributeKey('Provider', 'KEYWORD');
export const CONNECTION_ID = defineSearchAttributeKey('ConnectionId', 'KEYWORD');

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

/** What a run about one connection is found by. */
export type ConnectionRun = { tenantId: string; provider: string; connectionId: string };

/** Makes a run findable by its connection. */
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

/** How the run of an attempt to connect introduces itself in the Temporal UI. */
export function oauthSummary(provider: string): string {
  return `${provider} connect: exchanges the code for tokens`;
}

/** How a run of polling introduces itself in the Temporal UI. */
export const POLL_SUMMARY = 'alpha poll: brings in what was sold since the last one';

/** How the run of a redemption introduces itself in the Temporal UI. */
export const REDEMPTION_SUMMARY = 'Redemption: mails the code, expires it when unused';

/** How the run of a notice introduces itself in the Temporal UI. */
export function notifySummary(kind: string): string {
  return `Notice: sends the ${kind}`;
}
