import { type Contacts, readAlphaCustomer } from './alpha-payload.ts';
import { ProviderError } from './provider-error.ts';

const ORIGINS = {
  production: 'https://connect.squareup.com',
  sandbox: 'https://connect.squareupsandbox.com',
} as const;
const API_VERSION = '2025-08-20';
const REQUEST_TIMEOUT_MS = 10_000;
const MAX_RETRY_AFTER_MS = 10 * 60_000;

export type Alpha = {
  /**
   * The contacts of a customer, or null when the merchant's account has none by that id or does not
   * let us see it. Throws ProviderError, or InvalidPayload for an answer that is none of alpha's.
   */
  findCustomer(accessToken: string, customerId: string): Promise<Contacts | null>;
};

/** Where alpha is: at the origin of its environment, or at the one given for a simulator. */
export function alphaOrigin(at: {
  environment: keyof typeof ORIGINS;
  origin?: string | undefined;
}): string {
  return at.origin ?? ORIGINS[at.environment];
}

/** Talks to alpha at the origin of its environment, or at the one given for a simulator. */
export function createAlpha(options: {
  environment: keyof typeof ORIGINS;
  origin?: string | undefined;
}): Alpha {
  const origin = alphaOrigin(options);

  return {
    async findCustomer(accessToken, customerId) {
      const url = new URL(`/v2/customers/${encodeURIComponent(customerId)}`, origin);
      const answer = await get(url, accessToken, [403, 404]);
      return answer === null ? null : readAlphaCustomer(answer);
    },
  };
}

async function get(url: URL, accessToken: string, absent: readonly number[]): Promise<unknown> {
  const response = await request(url, accessToken);
  if (absent.includes(response.status)) return discard(response);
  if (!response.ok) {
    await discard(response);
    const retryAfter = retryAfterMs(response.headers.get('retry-after'));
    throw new ProviderError(`alpha answered ${response.status}.`, response.status, retryAfter);
  }
  try {
    return await response.json();
  } catch {
    throw new ProviderError('alpha answered something that is not JSON.', null);
  }
}

async function request(url: URL, accessToken: string): Promise<Response> {
  try {
    return await fetch(url, {
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: 'application/json',
        'square-version': API_VERSION,
      },
      // A redirect would carry the merchant's token to wherever it points.
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  } catch {
    throw new ProviderError('alpha could not be reached.', null);
  }
}

/** An unread body would hold on to its connection. */
async function discard(response: Response): Promise<null> {
  await response.body?.cancel();
  return null;
}

function retryAfterMs(header: string | null): number | undefined {
  const seconds = Number(header);
  if (header === null || !Number.isFinite(seconds) || seconds < 0) return undefined;
  return Math.min(seconds * 1000, MAX_RETRY_AFTER_MS);
}
