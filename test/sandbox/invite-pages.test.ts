import { afterAll, beforeEach, expect, it } from 'vitest';
import { routes } from '../../api/routes/index.ts';
import type { InviteId } from '../../domain/ids.ts';
import { createTokenVerifier } from '../../gateways/identity/token-verifier.ts';
import { createLogger } from '../../gateways/telemetry/logger.ts';
import { callApi } from '../../sandbox/api-call.ts';
import { PEOPLE } from '../../sandbox/identity/people.ts';
import { startIdentityProvider } from '../../sandbox/identity/provider.ts';
import { obtainToken } from '../../sandbox/identity/sign-in.ts';
import { startMerchantPage } from '../../sandbox/merchant-page.ts';
import { newSigningKey } from '../../sandbox/state.ts';
import { useDatabase } from '../support/fixtures.ts';
import { anInvite, statusOf } from '../support/invites.ts';
import { serveRoutes } from '../support/serve-routes.ts';

// The page behind the link of an invite's mail, with the sandbox's sign-in and the real API.

const audience = 'loyalty-api';
const { db } = await useDatabase();
const signingKey = await newSigningKey();
const identity = await startIdentityProvider({ port: 0, signingKey, people: PEOPLE, audience });
const settings = {
  issuer: identity.issuer,
  audience,
  emailClaim: 'email',
  emailVerifiedClaim: 'email_verified',
  phoneClaim: 'phone_number',
  phoneVerifiedClaim: 'phone_number_verified',
  clientIntentClaim: 'app_metadata.role',
};
const log = createLogger({ level: 'silent', service: 'test' });
const verifyToken = createTokenVerifier(settings, log);
const api = await serveRoutes(routes, { db, verifyToken });
const page = await startMerchantPage({ port: 0, api: api.url, issuer: identity.issuer });
afterAll(async () => {
  await page.stop();
  await api.close();
  await identity.stop();
});

let cookies: Map<string, string>;
let inviteId: InviteId;
beforeEach(async () => {
  cookies = new Map();
  await callApi(await as('consumer'), 'GET', '/auth/me');
  inviteId = (await anInvite(db, { email: PEOPLE.consumer.email })).id;
});

const as = async (person: 'consumer') => ({
  api: api.url,
  token: await obtainToken({ issuer: identity.issuer, person }),
});

/** Requests as a browser does, and follows redirects; returns the last page. */
async function visit(url: string, form?: Record<string, string>): Promise<string> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    cookies.set(name, value);
  }
  const location = response.headers.get('location');
  if (location !== null) return visit(new URL(location, url).href);
  shown = response.url;
  return response.text();
}
let shown = '';

async function signIn(person: string): Promise<string> {
  await visit(`${page.url}/invites/${inviteId}/sign-in`, {});
  return visit(shown, { person });
}

it('asks whoever opens it to sign in, and is nobody’s before', async () => {
  const text = await visit(`${page.url}/invites/${inviteId}`);
  expect(text).toContain('Sign in with the e-mail address');
  expect(text).not.toContain('Mary Somerville');
  expect(await visit(`${page.url}/invites/${inviteId}/accept`, {})).toContain('Sign in with');
  expect(await statusOf(db, { id: inviteId })).toBe('pending');
});

it('shows the invite to the invited person, who accepts', async () => {
  const text = await signIn('consumer');
  expect(text).toContain('You are signed in as ada@example.com');
  expect(text).toContain('Corner Café invites you');
  const after = await visit(`${page.url}/invites/${inviteId}/accept`, {});
  expect(after).toContain('(pos_operator)');
  expect(after).toContain('nothing for you to decide');
  expect(await statusOf(db, { id: inviteId })).toBe('accepted');
});

it('lets the person decline', async () => {
  await signIn('consumer');
  await visit(`${page.url}/invites/${inviteId}/decline`, {});
  expect(await statusOf(db, { id: inviteId })).toBe('declined');
});

it('shows nothing to anybody else', async () => {
  const text = await signIn('operator');
  expect(text).toContain('nothing for you to decide');
  expect(text).not.toContain('Corner Café');
});

it('starts no sign-in for a callback that it did not ask for', async () => {
  expect(await visit(`${page.url}/callback?code=x&state=y`)).toContain('Open the link of the mail');
});
