/** A failed request. It leaves out the response, which may hold personal data or our token. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError';
  readonly status: number | null;
  /** Whether the same request may succeed later, possibly after correcting the configuration. */
  readonly isTransient: boolean;

  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
    this.isTransient = status !== 400 && status !== 422;
  }
}

export type DirectoryAnswer = { status: number; body: unknown };

const REQUEST_TIMEOUT_MS = 10_000;
/** Short, because a person waits for the look-up, which is optional. */
export const LOOKUP_TIMEOUT_MS = 2_500;

/** Calls a directory with a bearer token. Throws DirectoryError when it does not answer in time. */
export async function ask(
  url: URL,
  options: { token?: string; form?: Record<string, string>; json?: unknown; timeoutMs?: number },
): Promise<DirectoryAnswer> {
  const { token, form, json, timeoutMs = REQUEST_TIMEOUT_MS } = options;
  const body = form ? new URLSearchParams(form) : json === undefined ? null : JSON.stringify(json);
  try {
    const response = await fetch(url, {
      method: body === null ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      body,
      // A redirect would send our token and the person's e-mail address elsewhere.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, body: parseJson(await response.text()) };
  } catch {
    throw new DirectoryError('The identity directory could not be reached.', null);
  }
}

/** The error for an unexpected response. */
export function unexpected({ status }: DirectoryAnswer): DirectoryError {
  return new DirectoryError(`The identity directory answered ${status}.`, status);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
