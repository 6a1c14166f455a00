import { z } from 'zod';
import type { Provider } from '../../../domain/payment.ts';
import type { CallOutcome, ProviderRequest } from '../../telemetry/metrics-work.ts';
import { inSpan } from '../../telemetry/spans.ts';
import { limitedTo } from '../../timing.ts';
import { ProviderError } from './error.ts';

export type ProviderCall = {
  provider: Provider;
  url: URL;
  accessToken?: string;
  headers?: Readonly<Record<string, string>>;
  /** Sends a POST with this as JSON; without it a GET. */
  body?: unknown;
  /** Statuses that mean that the resource does not exist; the call then returns null. */
  absent?: readonly number[];
  /** Aborts the call, in addition to its own time limit. */
  signal?: AbortSignal | undefined;
  /** Receives the outcome of the call. Must not throw. */
  onCall?: CallObserver | undefined;
};

export type CallObserver = (call: ProviderRequest) => void;

const REQUEST_TIMEOUT_MS = 10_000;
const MAX_RETRY_AFTER_MS = 15 * 60_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/**
 * Calls a provider and returns its JSON, or null when the resource does not exist. Throws
 * ProviderError for every other response, and when the provider cannot be reached.
 */
export async function callProvider(call: ProviderCall): Promise<unknown> {
  const { provider, onCall } = call;
  const start = performance.now();
  const report = (outcome: CallOutcome) =>
    onCall?.({ provider, outcome, seconds: (performance.now() - start) / 1000 });
  try {
    const json = await inSpan(`${methodOf(call)} ${provider}`, spanOf(call), () => send(call));
    report(json === null ? 'absent' : 'answered');
    return json;
  } catch (error) {
    report(outcomeOf(error));
    throw error;
  }
}

/** Neither the path nor the query: both may hold what names a customer. */
function spanOf(call: ProviderCall) {
  const { hostname } = call.url;
  const attributes = { 'http.request.method': methodOf(call), 'server.address': hostname };
  return { kind: 'client', attributes } as const;
}

const methodOf = ({ body }: ProviderCall) => (body === undefined ? 'GET' : 'POST');

function outcomeOf(error: unknown): CallOutcome {
  const status = error instanceof ProviderError ? error.status : null;
  if (status === null) return 'unreachable';
  if (status === 429) return 'limited';
  return status === 408 || status >= 500 ? 'failed' : 'refused';
}

async function send(call: ProviderCall): Promise<unknown> {
  const response = await request(call);
  if (call.absent?.includes(response.status)) {
    // An unread body would keep its connection open.
    await response.body?.cancel();
    return null;
  }
  const json = await readJson(call, response);
  if (response.ok && json !== undefined) return json;
  if (response.ok) throw new ProviderError(`${call.provider} did not answer with JSON.`, null);
  const code = codeIn(json);
  const status = code === null ? `${response.status}` : `${response.status} ${code}`;
  throw new ProviderError(`${call.provider} answered ${status}.`, response.status, {
    code,
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
  });
}

async function request(call: ProviderCall): Promise<Response> {
  const { url, accessToken, body, signal } = call;
  try {
    return await fetch(url, {
      method: methodOf(call),
      headers: {
        accept: 'application/json',
        ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A redirect would send the merchant's token to another address.
      redirect: 'error',
      signal: limitedTo(REQUEST_TIMEOUT_MS, signal),
    });
  } catch {
    throw new ProviderError(`${call.provider} could not be reached.`, null);
  }
}

/** The JSON of a response, or undefined when the body is not JSON. */
async function readJson({ provider }: ProviderCall, response: Response): Promise<unknown> {
  try {
    const text = await textOf(response);
    return text === null ? undefined : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw new ProviderError(`The response of ${provider} is incomplete.`, null);
  }
}

/** The text of a response, or null when it is larger than any valid response. */
async function textOf(response: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

// Only a single word is kept: longer text could be about a person.
const word = z.string().regex(/^[A-Za-z][A-Za-z0-9_.]{0,63}$/);
/** Alpha's error envelope, the shorter one of its OAuth endpoints, and that of standard OAuth. */
const ErrorBody = z.union([
  z.object({ errors: z.tuple([z.object({ code: word })], z.unknown()) }),
  z.object({ type: word }),
  z.object({ error: word }),
]);

function codeIn(json: unknown): string | null {
  const { data } = ErrorBody.safeParse(json);
  if (data === undefined) return null;
  if ('errors' in data) return data.errors[0].code;
  return 'type' in data ? data.type : data.error;
}

/** HTTP's dates begin with the name of a day; `Date.parse` alone would read almost anything. */
const HTTP_DATE = /^[A-Z][a-z]{2,8},? /;

/** The wait that a `Retry-After` asks for, in seconds or as a date; undefined when it asks none. */
function retryAfterMs(header: string | null): number | undefined {
  const text = header?.trim() ?? '';
  const isSeconds = /^\d+(\.\d+)?$/.test(text);
  const isDate = !isSeconds && HTTP_DATE.test(text);
  const waitMs = isSeconds ? Number(text) * 1000 : isDate ? Date.parse(text) - Date.now() : 0;
  return waitMs > 0 ? Math.min(waitMs, MAX_RETRY_AFTER_MS) : undefined;
}
