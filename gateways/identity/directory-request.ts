import { parseJson } from '../../domain/json.ts';

/** A failed request. It leaves out the response, which may hold personal data or our token. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError';
  readonly status: number | null;
  /** Whether the same request may succeed later, possibly after correcting the configuration. */
  readonly isTransient: boolean;
  /** Whether the directory may have sent the mail that it was asked for: it never said. */
  readonly isUnclear: boolean;

  constructor(message: string, status: number | null, isUnclear = false) {
    super(message);
    this.status = status;
    this.isTransient = status !== 400 && status !== 422;
    this.isUnclear = isUnclear;
  }
}

export type DirectoryAnswer = { status: number; body: unknown; request: DirectoryRequest };

export type DirectoryRequest = {
  /** What is asked for, in the words of an error message. */
  call: string;
  /** Whether it makes the directory send a mail. */
  sendsMail?: true;
  headers?: Readonly<Record<string, string>>;
  form?: Record<string, string>;
  json?: unknown;
  timeoutMs?: number;
};

/** For a request that sends a mail, for which the directory may wait for its mail server. */
const REQUEST_TIMEOUT_MS = 10_000;
/** For every other request. */
export const LOOKUP_TIMEOUT_MS = 2_500;

/** The status of a proxy that waited in vain for the directory. */
const GATEWAY_TIMEOUT = 504;
/** The failures of a connection that was never made. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Calls a directory. Throws DirectoryError when it does not answer in time. */
export async function ask(url: URL, request: DirectoryRequest): Promise<DirectoryAnswer> {
  const { headers, form, json, timeoutMs = REQUEST_TIMEOUT_MS } = request;
  const body = form ? new URLSearchParams(form) : json === undefined ? null : JSON.stringify(json);
  try {
    const response = await fetch(url, {
      method: body === null ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...headers,
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      body,
      // A redirect would send our token and the person's e-mail address elsewhere.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { request, status: response.status, body: parseJson(await response.text()) };
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const what = isLate ? 'did not answer in time' : 'could not be reached';
    const isUnclear = request.sendsMail === true && !isNotConnected(error);
    throw new DirectoryError(`The identity directory ${what}: ${request.call}.`, null, isUnclear);
  }
}

/** The error for an unexpected response. */
export function unexpected({ request, status }: DirectoryAnswer): DirectoryError {
  const message = `The identity directory answered ${status}: ${request.call}.`;
  const isUnclear = request.sendsMail === true && status === GATEWAY_TIMEOUT;
  return new DirectoryError(message, status, isUnclear);
}

function isNotConnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && NOT_CONNECTED.has(String(cause.code));
}
