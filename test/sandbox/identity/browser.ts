import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';

const MAX_STEPS = 12;

const Tokens = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  id_token: z.string(),
});

/** An app of one redirect address, in a browser with its own cookies. */
export function openApp(options: { issuer: string; redirectUri: string }) {
  const { issuer, redirectUri } = options;
  const cookies = new Map<string, string>();
  const verifier = randomBytes(32).toString('base64url');

  async function visit(url: string, form?: Record<string, string>): Promise<Response> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  }

  /** Follows redirects as far as a page, or the app. */
  async function follow(start: string, form?: Record<string, string>) {
    let url = start;
    let response = await visit(url, form);
    for (let step = 0; step < MAX_STEPS; step++) {
      const location = response.headers.get('location');
      if (location === null) break;
      url = new URL(location, url).href;
      if (new URL(url).origin !== issuer) return { url, status: 302, text: '' };
      response = await visit(url);
    }
    return { url, status: response.status, text: await response.text() };
  }

  const redeem = (form: Record<string, string>) =>
    fetch(`${issuer}/token`, {
      method: 'POST',
      headers: { origin: new URL(redirectUri).origin },
      body: new URLSearchParams({ client_id: 'sandbox', ...form }),
    });

  return {
    follow,
    /** Opens the sign-in page, as an app's library does; returns its address. */
    async begin(scope: string, prompt?: string): Promise<string> {
      const query = new URLSearchParams({
        client_id: 'sandbox',
        response_type: 'code',
        redirect_uri: redirectUri,
        scope,
        state: 'a-state',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...(prompt !== undefined && { prompt }),
      });
      return (await follow(`${issuer}/auth?${query}`)).url;
    },
    /** Exchanges the code with which the browser came back to the app. */
    async finish(cameBackTo: string) {
      const response = await redeem({
        grant_type: 'authorization_code',
        code: new URL(cameBackTo).searchParams.get('code') ?? '',
        code_verifier: verifier,
        redirect_uri: redirectUri,
      });
      return Tokens.parse(await response.json());
    },
    /** Asks for new tokens; returns the response, which may be a refusal. */
    refresh: (refreshToken = '') =>
      redeem({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    tokensOf: async (response: Response) => Tokens.parse(await response.json()),
  };
}
