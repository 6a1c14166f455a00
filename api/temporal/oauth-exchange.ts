import { WithStartWorkflowOperation } from '@temporalio/client';
import type { AttemptId, ConnectionId, TenantId } from '../../domain/ids.ts';
import { ATTEMPT_LIFETIME_MS } from '../../domain/oauth.ts';
import type { Provider } from '../../domain/payment.ts';
import { connected } from '../../workflows/messages.ts';
import { clientStart, oauthExchangeStart } from '../../workflows/starts.ts';
import type { TemporalConnection } from './connection.ts';

/** A stored attempt to connect a provider, and the id of the connection that it will create. */
export type StoredAttempt = {
  id: AttemptId;
  provider: Provider;
  tenantId: TenantId;
  connectionId: ConnectionId;
  correlationId: string;
};

/**
 * Starts the run of a stored attempt. Resolves once the attempt is settled, rejects when too late.
 */
export async function exchangeByWorkflow(
  link: TemporalConnection,
  attempt: StoredAttempt,
): Promise<void> {
  const start = clientStart(oauthExchangeStart(attempt), [attempt.correlationId]);
  const { workflowType, ...options } = start;
  const run = new WithStartWorkflowOperation(workflowType, options);
  await link.call(ATTEMPT_LIFETIME_MS, ({ workflow }) =>
    workflow.executeUpdateWithStart(connected, { startWorkflowOperation: run }),
  );
}
