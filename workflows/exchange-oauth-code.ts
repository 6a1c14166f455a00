import {
  allHandlersFinished,
  condition,
  isCancellation,
  log,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertMemo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { AttemptId, ConnectionId } from '../domain/ids.ts';
import type { ConnectOutcome } from '../domain/oauth.ts';
import { isPolled, type Provider } from '../domain/payment.ts';
import { connected } from './messages.ts';

const { exchangeCode } = proxyActivities<Activities>({
  startToCloseTimeout: '18 seconds',
  // By then the request no longer waits, and the attempt has failed in its row.
  scheduleToCloseTimeout: '20 seconds',
  retry: { initialInterval: '500 milliseconds', maximumAttempts: 3 },
});

const { startPolling } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
});

/**
 * Connects a merchant's account with the authorization code of an attempt and completes the update
 * `connected`, for which the request waits; then starts to poll the account, if it is polled. The
 * code, the tokens and the merchant's identity stay in Postgres.
 */
export async function exchangeOAuthCode(
  provider: Provider,
  id: AttemptId,
): Promise<ConnectOutcome> {
  let outcome: ConnectOutcome | undefined;
  setHandler(connected, () => condition(() => outcome !== undefined));

  setCurrentDetails('Exchanging the code for tokens.');
  outcome = await exchange(id);
  if (outcome.connected && isPolled(provider)) {
    setCurrentDetails('The account is connected. Starting to poll it.');
    await beginPolling(outcome.connectionId);
  }
  const text = outcome.connected ? 'The account is connected.' : `Failed: ${outcome.error}.`;
  setCurrentDetails(text);
  upsertMemo({ summary: text });
  await condition(allHandlersFinished);
  return outcome;
}

/** A failed exchange is final: a code is valid for one exchange. */
async function exchange(id: AttemptId): Promise<ConnectOutcome> {
  try {
    return await exchangeCode(id);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { connected: false, error: 'exchange_failed' };
  }
}

async function beginPolling(id: ConnectionId): Promise<void> {
  try {
    await startPolling(id);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('Polling could not be started, reconcile will start it', {
      event: 'poll_start_failed',
      error,
    });
  }
}
