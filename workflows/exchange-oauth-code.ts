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
import type { Provider } from '../domain/payment.ts';
import { connected } from './messages.ts';

const { exchangeCode } = proxyActivities<Activities>({
  startToCloseTimeout: '18 seconds',
  // Whoever began it has given up by then, and so has the attempt's row.
  scheduleToCloseTimeout: '20 seconds',
  retry: { initialInterval: '500 milliseconds', maximumAttempts: 3 },
});

const { startPolling } = proxyActivities<Activities>({
  startToCloseTimeout: '10 seconds',
  scheduleToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '10 seconds' },
});

/**
 * Connects a merchant's account by the code of an attempt, tells who waits for it by the update
 * `connected`, and has alpha's payments polled from then on. The code, the tokens and whose they are
 * stay in Postgres.
 */
export async function exchangeOAuthCode(
  provider: Provider,
  id: AttemptId,
): Promise<ConnectOutcome> {
  let outcome: ConnectOutcome | undefined;
  setHandler(connected, () => condition(() => outcome !== undefined));

  setCurrentDetails('The code waits to be exchanged.');
  outcome = await exchange(id);
  if (outcome.connected && provider === 'alpha') {
    setCurrentDetails('The account is connected; polling is about to begin.');
    await beginPolling(outcome.connectionId);
  }
  const words = outcome.connected ? 'The account is connected.' : `Failed: ${outcome.error}.`;
  setCurrentDetails(words);
  upsertMemo({ summary: words });
  await condition(allHandlersFinished);
  return outcome;
}

/** A step that broke off has failed for good: a code is good for once. */
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
    log.warn('Polling is left to reconcile to begin', { error });
  }
}
