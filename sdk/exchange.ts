import type { AccessTokens } from './access-tokens.ts';
import { LoyaltyError } from './errors.ts';

/** One request and its answer. */
export type Exchange = (request: Request) => Promise<Response>;

/**
 * Sends a request with an access token, and once more with a new one if the service refuses the
 * first: a request that was refused for its token has had no effect.
 *
 * An answer in JSON is read to its end, so that one that breaks off counts as none; a download may
 * take as long as it needs. Throws a `LoyaltyError` with code `UNREACHABLE` if no answer came in
 * time, with the status of a download that broke off, and the reason of the request's signal if
 * that was aborted.
 */
export function createExchange(deps: {
  fetch: typeof globalThis.fetch;
  tokens: AccessTokens;
  timeoutMs: number;
}): Exchange {
  const send = async (request: Request, token: string | undefined) => {
    const headers = new Headers(request.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), deps.timeoutMs);
    const signal = AbortSignal.any([request.signal, timeout.signal]);
    let status = 0;
    try {
      // Not a signal of the request: Node forgets that one when it collects garbage.
      const response = await deps.fetch(new Request(request.clone(), { headers }), { signal });
      if (isDownload(response)) {
        // However long it is: the service ends one that does not come on.
        clearTimeout(timer);
        status = response.status;
      }
      return isJson(response) ? await readToEnd(response) : response;
    } catch (cause) {
      request.signal.throwIfAborted();
      const timeoutMs = timeout.signal.aborted ? deps.timeoutMs : undefined;
      throw unreachable(request, timeoutMs, { status, cause });
    } finally {
      clearTimeout(timer);
    }
  };

  return async (request) => {
    const token = await deps.tokens.current();
    request.signal.throwIfAborted();
    const response = await send(request, token);
    if (response.status !== 401 || !(await isRefusedToken(response.clone()))) return response;
    const renewed = await deps.tokens.renewed(token);
    return renewed === undefined ? response : send(request, renewed);
  };
}

function unreachable(
  request: Request,
  timeoutMs: number | undefined,
  how: { status: number; cause: unknown },
) {
  const { origin, pathname } = new URL(request.url);
  const why = timeoutMs === undefined ? 'The connection failed' : `No answer in ${timeoutMs} ms`;
  const message = `${why}: ${request.method} ${origin}${pathname}`;
  return new LoyaltyError(message, { code: 'UNREACHABLE', ...how });
}

const isJson = ({ headers }: Response) =>
  headers.get('content-type')?.startsWith('application/json') === true;

const isDownload = ({ headers }: Response) =>
  headers.get('content-disposition')?.startsWith('attachment') === true;

async function readToEnd(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  return new Response(await response.arrayBuffer(), { status, statusText, headers });
}

/** A suspended person, for example, gets 401 whatever the token. */
async function isRefusedToken(response: Response): Promise<boolean> {
  if (!isJson(response)) return false;
  return /"token_(?:missing|invalid|expired)"/.test(await response.text());
}
