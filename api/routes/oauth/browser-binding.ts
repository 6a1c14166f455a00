import { createHash, randomBytes } from 'node:crypto';
import { STATE_LIFETIME_MS } from '../../../domain/oauth.ts';
import { isEqualInConstantTime } from '../../../gateways/crypto/constant-time.ts';

/** Browsers accept this prefix from the host itself only, over TLS: no other site can set it. */
const NAME = '__Host-oauth';

/** What ties a state to the browser that began: the cookie, and its hash for the state. */
export type BrowserBinding = { cookie: string; browser: string };

/** Makes a fresh binding. The state alone does not reveal the cookie. */
export function bindBrowser(): BrowserBinding {
  const secret = randomBytes(32).toString('base64url');
  const maxAge = STATE_LIFETIME_MS / 1000;
  const attributes = `Path=/; Max-Age=${maxAge}; Secure; HttpOnly; SameSite=Lax`;
  return { cookie: `${NAME}=${secret}; ${attributes}`, browser: hashOf(secret) };
}

/** Whether the `Cookie` header comes from the browser to which the state is bound. */
export function isBoundBrowser(cookies: string | undefined, browser: string | undefined): boolean {
  if (browser === undefined) return false;
  const secrets = (cookies ?? '').split(';').flatMap((pair) => {
    const [name, value = ''] = pair.trim().split('=');
    return name === NAME ? [value] : [];
  });
  return secrets.some((secret) => isEqualInConstantTime(hashOf(secret), browser));
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
