import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import { MAX_TENANTS_PER_RUN } from '../domain/ingest-batch.ts';

// By these attributes an operator finds runs in the Temporal UI. The worker registers them on start.

export const TENANT_IDS = defineSearchAttributeKey('TenantIds', 'KEYWORD_LIST');
export const PROVIDER = defineSearchAttributeKey('Provider', 'KEYWORD');
export const CONNECTION_ID = defineSearchAttributeKey('ConnectionId', 'KEYWORD');

/**
 * The argument of `reconcile` and `sweepPendingEvents`. `searchable` says whether the cluster has our
 * search attributes registered, which is `searchAttributes` everywhere else. The name stays: it is in
 * recorded histories and in the Schedules of running clusters.
 */
export type ScheduledOptions = { searchable: boolean };

/** The search attributes of a run of ingestion: its tenants and its provider. */
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

/** The search attributes of a run that concerns one tenant. */
export function tenantAttributes(tenantId: string): SearchAttributePair[] {
  return [{ key: TENANT_IDS, value: [tenantId] }];
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
