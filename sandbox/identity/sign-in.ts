import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** The public client that the sandbox's own sign-in uses. */
export const CLIENT_ID = 'sandbox';

// Nothing listens there: the sign-in stops at this redirect, and any loopback port is allowed.
const NATIVE_REDIRECT_URI = 'http://127.0.0.1/callback';
const STEP_TIMEOUT_MS = 10_000;
const MAX_STEPS = 10;

const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
});
const TokenAnswer = z.object({ access_token: z.string().min(1) });

/** A started authorization request: the URL for the browser, and the values to check later. */
export type SignIn = { url: string; verifier: string; state: string };

/**
 * Signs a person in as a browser would, by name or by e-mail address, and returns the access token.
 *
 * Follows the authorization code flow with PKCE over HTTP, through the sign-in page. Throws when
 * the provider does not respond or a step fails.
 */
export async function obtainToken(wanted: { issuer: string; person: string }): Promise<string> {
  const { issuer, person } = wanted;
  const signIn = await beginSignIn(issuer, NATIVE_REDIRECT_URI);
  const browser = new Browser(issuer);

  const form = await browser.follow(signIn.url);
  const end = await browser.follow(form, new URLSearchParams({ person }));
  const answer = new URL(end);
  if (!end.startsWith(`${NATIVE_REDIRECT_URI}?`)) {
    throw new Error(`The sign-in of ${person} was not completed: it stopped at ${end}.`);
  }
  const code = answer.searchParams.get('code');
  if (code === null || answer.searchParams.get('state') !== signIn.state) {
    throw new Error(`The sign-in of ${person} was refused: ${answer.searchParams.toString()}.`);
  }
  return redeemCode({ issuer, code, verifier: signIn.verifier, redirectUri: NATIVE_REDIRECT_URI });
}

/** Starts a sign-in that always asks for the person, with a new PKCE verifier and state. */
export async function beginSignIn(issuer: string, redirectUri: string): Promise<SignIn> {
  const { authorization_endpoint } = await discover(issuer);
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const query = new URLSearchParams({
    client_id: CLIENT_ID,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid profile email phone',
    prompt: 'login',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return { url: `${authorization_endpoint}?${query}`, verifier, state };
}

/** Exchanges an authorization code for the access token; throws when the provider refuses. */
export async function redeemCode(grant: {
  issuer: string;
  code: string;
  verifier: string;
  redirectUri: string;
}): Promise<string> {
  const { token_endpoint } = await discover(grant.issuer);
  const response = await fetch(token_endpoint, {
    method: 'POST',
    signal: AbortSignal.timeout(STEP_TIMEOUT_MS),
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CLIENT_ID,
      code: grant.code,
      code_verifier: grant.verifier,
      redirect_uri: grant.redirectUri,
    }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The token endpoint answered ${response.status}: ${text}`);
  return TokenAnswer.parse(JSON.parse(text)).access_token;
}

async function discover(issuer: string): Promise<z.infer<typeof Discovery>> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`, {
    redirect: 'error',
    signal: AbortSignal.timeout(STEP_TIMEOUT_MS),
  });
  const found = Discovery.safeParse(await response.json().catch(() => undefined));
  // Another program may have taken the port since the sandbox was stopped.
  if (!found.success || found.data.issuer !== issuer) {
    throw new Error(`The server at ${issuer} is not the sandbox's identity provider.`);
  }
  return found.data;
}

/** The parts of a browser that a sign-in needs: cookies and redirects within one origin. */
export class Browser {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  constructor(issuer: string) {
    this.#origin = new URL(issuer).origin;
  }

  /** What it was given so far, by name. */
  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  /** Returns the address of the last page, or of the first redirect outside the origin. */
  async follow(start: string, form?: URLSearchParams): Promise<string> {
    let url = start;
    let body = form;
    for (let step = 0; step < MAX_STEPS; step++) {
      const { response, text } = await this.#request(url, body);
      const location = response.headers.get('location');
      if (location === null) {
        if (response.ok) return url;
        // A refusal of our own pages is a sentence; the provider's is a page.
        const isSentence = text !== '' && !text.startsWith('<');
        throw new Error(isSentence ? text : `${url} answered ${response.status}.`);
      }
      url = new URL(location, url).href;
      body = undefined;
      if (new URL(url).origin !== this.#origin) return url;
    }
    throw new Error(`The sign-in was redirected more than ${MAX_STEPS} times, last to ${url}.`);
  }

  async #request(url: string, form?: URLSearchParams) {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(STEP_TIMEOUT_MS),
      headers: { cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    });
    const text = await response.text();
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) this.#cookies.set(name, value);
    }
    return { response, text };
  }
}
