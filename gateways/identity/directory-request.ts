/** What the directory says is not repeated: it names the person, and may echo our token. */
export class DirectoryError extends Error {
  override readonly name = 'DirectoryError';
  readonly status: number | null;
  /** Whether the same request may succeed later, perhaps after the configuration was put right. */
  readonly isTransient: boolean;

  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
    this.isTransient = status !== 400 && status !== 422;
  }
}

export type DirectoryAnswer = { status: number; body: unknown };

const REQUEST_TIMEOUT_MS = 10_000;
/** A person waits for the answer to a look-up, and can do without it. */
export const LOOKUP_TIMEOUT_MS = 2_500;

/** Asks a directory with a bearer token. Throws DirectoryError when it cannot be reached in time. */
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
      // A redirect would carry our token and the person's address to wherever it points.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, body: parsed(await response.text()) };
  } catch {
    throw new DirectoryError('The identity directory could not be reached.', null);
  }
}

/** The error for an answer that is none of those expected. */
export function unexpected({ status }: DirectoryAnswer): DirectoryError {
  return new DirectoryError(`The identity directory answered ${status}.`, status);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
