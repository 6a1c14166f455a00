import { WithStartWorkflowOperation } from '@temporalio/client';
import type { AttemptId, ConnectionId, TenantId } from '../../domain/ids.ts';
import { ATTEMPT_LIFETIME_MS } from '../../domain/oauth.ts';
import type { Provider } from '../../domain/payment.ts';
import type { exchangeOAuthCode } from '../../workflows/exchange-oauth-code.ts';
import { OAUTH_PRIORITY, oauthWorkflowId, TASK_QUEUE } from '../../workflows/ids.ts';
import { connected } from '../../workflows/messages.ts';
import { connectionAttributes, oauthSummary } from '../../workflows/search-attributes.ts';
import { clientOf } from './client.ts';
import type { TemporalConnection } from './connection.ts';

/** A stored attempt to connect a provider, and the connection that it will make. */
export type StoredAttempt = {
  id: AttemptId;
  provider: Provider;
  tenantId: TenantId;
  connectionId: ConnectionId;
  correlationId: string;
};

/** Starts the run of a stored attempt and resolves once the attempt is settled, in time or not at all. */
export async function exchangeByWorkflow(
  link: TemporalConnection,
  namespace: string,
  attempt: StoredAttempt,
  searchAttributes: boolean,
): Promise<void> {
  const { id, provider, correlationId } = attempt;
  const run = new WithStartWorkflowOperation<typeof exchangeOAuthCode>('exchangeOAuthCode', {
    taskQueue: TASK_QUEUE,
    workflowId: oauthWorkflowId(provider, id),
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowExecutionTimeout: '2 minutes',
    priority: OAUTH_PRIORITY,
    args: [provider, id],
    staticSummary: oauthSummary(provider),
    memo: { correlationIds: [correlationId] },
    ...(searchAttributes ? { typedSearchAttributes: connectionAttributes(attempt) } : {}),
  });
  await link.call(ATTEMPT_LIFETIME_MS, (connection) =>
    clientOf(connection, namespace).workflow.executeUpdateWithStart(connected, {
      startWorkflowOperation: run,
    }),
  );
}
