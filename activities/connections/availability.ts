import * as availability from '../../db/connections/availability.ts';
import type { PosConnection } from '../../db/connections/pos-connections.ts';
import { PROVIDERS, type Provider } from '../../domain/payment.ts';
import { InvalidPayload, ProviderError } from '../../gateways/providers/shared/error.ts';
import { limitedTo } from '../../gateways/timing.ts';
import { inParallel } from '../concurrency.ts';
import { safeErrorText } from '../safe-error-text.ts';
import { withAccessToken } from './access-tokens.ts';
import { type AccessTokenDeps, ReconnectNeeded } from './token-refresh.ts';

/** Whether a provider may be asked about a connection; if not, in how long, and why not. */
export type Answering = { answers: true } | { answers: false; waitMs: number; error: string };

/** Shorter than the claim of a probe lasts. */
const PROBE_WITHIN_MS = 10_000;
/** How many connections of a provider are probed at a time: most of them may hang. */
const PROBES_AT_ONCE = 20;

/** The provider limits the rate, cannot be reached, or has an error of its own. */
export function isAway(error: unknown): error is ProviderError {
  return isLimited(error) || isSilent(error);
}

/** The provider asks to be asked later, by 429. */
export function isLimited(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.status === 429;
}

/** The provider gives no answer, or has an error that is its own or due to what it was asked. */
export function isSilent(error: unknown): error is ProviderError {
  if (!(error instanceof ProviderError)) return false;
  return error.status === null || error.status === 408 || error.status >= 500;
}

/**
 * Whether a connection's provider may be asked now. Once a pause is over, one caller probes the
 * provider, and only its answer ends the pause. A connection whose merchant must reconnect is not
 * probed.
 */
export async function mayAsk(
  deps: AccessTokenDeps,
  connection: PosConnection,
  signal: AbortSignal,
): Promise<Answering> {
  const known = await availability.read(deps.db, connection.id);
  if (known === undefined) return { ...REFUSED, error: GONE };
  if (known.state === 'answers') return { answers: true };
  if (known.state === 'due') {
    const probed = await probe(deps, connection, signal);
    if (probed !== undefined) return probed;
  }
  const again = await availability.read(deps.db, connection.id);
  if (again?.state === 'answers') return { answers: true };
  return { answers: false, waitMs: again?.waitMs ?? 0, error: AWAY };
}

const GONE = 'The tenant has no active connection to this provider: it has to connect again.';
const AWAY = 'The provider is away. It is asked again when its pause is over.';

/**
 * Asks the provider something neutral, which shows whether an error was the provider's or that of
 * one payment, and records the answer. Undefined when that cannot be known: another caller probes
 * the same connection, or the limits on our own calls leave no time for it.
 */
export async function probe(
  deps: AccessTokenDeps,
  connection: PosConnection,
  signal: AbortSignal,
): Promise<Answering | undefined> {
  const { db } = deps;
  if (!(await availability.claimProbe(db, connection.id))) return undefined;
  try {
    await askNeutrally(deps, connection, limitedTo(PROBE_WITHIN_MS, signal));
  } catch (error) {
    if (isAway(error) && !signal.aborted) return recordAway(deps, connection, error, 'probe');
    const isAnswer = error instanceof ProviderError || error instanceof InvalidPayload;
    if (!isAnswer || signal.aborted) {
      await availability.dropProbe(db, connection.id);
      if (error instanceof ReconnectNeeded) return { ...REFUSED, error: safeErrorText(error) };
      signal.throwIfAborted();
      if (error instanceof Error && error.name === 'TimeoutError') return undefined;
      throw error;
    }
  }
  await availability.recordAnswer(db, connection.id);
  return { answers: true };
}

const REFUSED = { answers: false, waitMs: Number.POSITIVE_INFINITY } as const;

async function askNeutrally(
  deps: AccessTokenDeps,
  connection: PosConnection,
  signal: AbortSignal,
): Promise<void> {
  const { provider, merchantId } = connection;
  await withAccessToken(deps, connection, (token) =>
    deps.providers[provider].probe(token, merchantId, signal),
  );
}

/** Records that the provider is away, by an error of a call or of the probe. */
export async function recordAway(
  { db }: Pick<AccessTokenDeps, 'db'>,
  { id }: Pick<PosConnection, 'id'>,
  error: ProviderError,
  by: 'call' | 'probe' = 'call',
): Promise<{ answers: false; waitMs: number; error: string }> {
  const text = safeErrorText(error);
  const retryAfterMs = error.retryAfterMs ?? 0;
  const away = { retryAfterMs, error: text, isProbe: by === 'probe' };
  return { answers: false, waitMs: await availability.recordAway(db, id, away), error: text };
}

/**
 * Probes connections whose pause is over, those of each provider beside those of the others, until
 * none is left or the signal aborts. Returns how many providers answered. What cannot be probed
 * does not stop the others.
 */
export async function probeDue(deps: AccessTokenDeps, signal: AbortSignal): Promise<number> {
  let answered = 0;
  const probeAll = async (provider: Provider) => {
    for (;;) {
      const due = await availability.listProbeable(deps.db, provider, PROBES_AT_ONCE);
      let probed = 0;
      await inParallel(due, PROBES_AT_ONCE, async (connection) => {
        if (signal.aborted) return;
        try {
          const result = await probe(deps, connection, signal);
          if (result !== undefined) probed += 1;
          if (result?.answers) answered += 1;
        } catch (error) {
          if (signal.aborted) return;
          // One that cannot even be probed, such as by its tokens, must not be first for ever.
          const away = { retryAfterMs: 0, error: safeErrorText(error), isProbe: true };
          await availability.recordAway(deps.db, connection.id, away);
        }
      });
      if (signal.aborted || probed === 0) return;
    }
  };
  await Promise.all(PROVIDERS.map(probeAll));
  return answered;
}
