import { z } from 'zod';
import type { Provider } from '../../domain/payment.ts';
import type { AskedProvider, CallOutcome } from '../telemetry/metrics-work.ts';
import { ProviderError } from './error.ts';

export type ProviderCall = {
  provider: Provider;
  url: URL;
  accessToken?: string;
  headers?: Readonly<Record<string, string>>;
  /** Makes it a POST of this as JSON. */
  body?: unknown;
  /** The statuses that say that there is no such thing, answered with null. */
  absent?: readonly number[];
  /** Gives the call up, besides its own time limit. */
  signal?: AbortSignal | undefined;
  /** Is told how the call went. Must not throw. */
  onCall?: CallObserver | undefined;
};

export type CallObserver = (call: AskedProvider) => void;

const REQUEST_TIMEOUT_MS = 10_000;
const MAX_RETRY_AFTER_MS = 10 * 60_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * Asks a provider and returns the JSON it answers, or null when it answers that there is none.
 * Throws ProviderError for everything else, also when it cannot be reached.
 */
export async function callProvider(call: ProviderCall): Promise<unknown> {
  const { provider, onCall } = call;
  const start = performance.now();
  const tell = (outcome: CallOutcome) =>
    onCall?.({ provider, outcome, seconds: (performance.now() - start) / 1000 });
  try {
    const answer = await ask(call);
    tell(answer === null ? 'absent' : 'answered');
    return answer;
  } catch (error) {
    tell(outcomeOf(error));
    throw error;
  }
}

function outcomeOf(error: unknown): CallOutcome {
  const status = error instanceof ProviderError ? error.status : null;
  if (status === null) return 'unreachable';
  if (status === 429) return 'limited';
  return status === 408 || status >= 500 ? 'failed' : 'refused';
}

async function ask(call: ProviderCall): Promise<unknown> {
  const response = await request(call);
  if (call.absent?.includes(response.status)) {
    // An unread body would hold on to its connection.
    await response.body?.cancel();
    return null;
  }
  const answer = await readJson(call, response);
  if (response.ok && answer !== undefined) return answer;
  if (response.ok) {
    throw new ProviderError(`${call.provider} answered something that is not JSON.`, null);
  }
  const code = codeIn(answer);
  const named = code === null ? '' : ` ${code}`;
  throw new ProviderError(
    `${call.provider} answered ${response.status}${named}.`,
    response.status,
    {
      code,
      retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
    },
  );
}

async function request(call: ProviderCall): Promise<Response> {
  const { url, accessToken, body, signal } = call;
  const limit = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  try {
    return await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirect would carry the merchant's token to wherever it points.
      redirect: 'error',
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
  } catch {
    throw new ProviderError(`${call.provider} could not be reached.`, null);
  }
}

/** The JSON of an answer, or undefined when it is none. */
async function readJson({ provider }: ProviderCall, response: Response): Promise<unknown> {
  try {
    const text = await textOf(response);
    return text === null ? undefined : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw new ProviderError(`${provider} broke off its answer.`, null);
  }
}

/** The text of an answer, or null of one that no provider sends and no memory should hold. */
async function textOf(response: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

// Anything but a word could be a text about a person.
const word = z.string().regex(/^[A-Za-z][A-Za-z0-9_.]{0,63}$/);
/** Alpha's envelope of errors, the shorter one of its OAuth, and the one of OAuth's standard. */
const Refused = z.union([
  z.object({ errors: z.tuple([z.object({ code: word })], z.unknown()) }),
  z.object({ type: word }),
  z.object({ error: word }),
]);

function codeIn(answer: unknown): string | null {
  const { data } = Refused.safeParse(answer);
  if (data === undefined) return null;
  if ('errors' in data) return data.errors[0].code;
  return 'type' in data ? data.type : data.error;
}

function retryAfterMs(header: string | null): number | undefined {
  const seconds = Number(header);
  if (header === null || !Number.isFinite(seconds) || seconds < 0) return undefined;
  return Math.min(seconds * 1000, MAX_RETRY_AFTER_MS);
}
