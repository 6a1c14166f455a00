import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PEOPLE } from '../../../sandbox/identity/people.ts';
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../../sandbox/identity/provider.ts';
import { obtainToken } from '../../../sandbox/identity/sign-in.ts';
import { newSigningKey, type SigningKey } from '../../../sandbox/state.ts';
import { openApp } from './browser.ts';

// What the sandbox's identity provider does for an app that somebody is building.

const audience = 'loyalty-api';
const REDIRECT = 'http://localhost:5173/auth/callback';
let signingKey: SigningKey;
let dir: string;
let provider: IdentityProvider;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'sandbox-apps-'));
  signingKey = await newSigningKey();
  provider = await start(0);
});
afterAll(async () => {
  await provider.stop();
  rmSync(dir, { recursive: true, force: true });
});

const start = (port: number) =>
  startIdentityProvider({
    port,
    signingKey,
    people: PEOPLE,
    audience,
    addedPeopleFile: join(dir, 'people.json'),
  });
const app = (redirectUri = REDIRECT) => openApp({ issuer: provider.issuer, redirectUri });

describe('an app', () => {
  it.each([
    REDIRECT,
    'http://127.0.0.1:8080/',
    'https://localhost:3001/a/b?c=d',
    'http://[::1]:4000/callback',
  ])('is redirected to %s, which nobody has registered', async (redirectUri) => {
    const { begin, follow, finish } = app(redirectUri);
    const end = await follow(await begin('openid email'), { person: 'consumer' });
    expect(end.url.startsWith(redirectUri)).toBe(true);
    const tokens = await finish(end.url);
    expect(decodeJwt(tokens.access_token)).toMatchObject({ ...PEOPLE.consumer, aud: audience });
    expect(tokens.refresh_token).toBeUndefined();
  });

  it.each([undefined, 'login', 'consent', 'login consent'])(
    'that asks for offline_access gets a refresh token, with prompt %s',
    async (prompt) => {
      const { begin, follow, finish } = app();
      const page = await begin('openid offline_access', prompt);
      const tokens = await finish((await follow(page, { person: 'consumer' })).url);
      expect(tokens.refresh_token).toEqual(expect.any(String));
    },
  );

  it('uses a refresh token once: used again, it revokes what it gave', async () => {
    const { begin, follow, finish, refresh, tokensOf } = app();
    const page = await begin('openid offline_access');
    const first = await finish((await follow(page, { person: 'consumer' })).url);
    const answer = await refresh(first.refresh_token);
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    const second = await tokensOf(answer);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(decodeJwt(second.access_token)).toMatchObject(PEOPLE.consumer);

    expect((await refresh(first.refresh_token)).status).toBe(400);
    expect((await refresh(second.refresh_token)).status).toBe(400);
  });

  it('may be redirected to any address of this machine after the sign-out', async () => {
    const { begin, follow, finish } = app();
    const { url } = await follow(await begin('openid'), { person: 'consumer' });
    const { id_token } = await finish(url);
    const signOut = (post_logout_redirect_uri: string) => {
      const query = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri });
      return follow(`${provider.issuer}/session/end?${query}`);
    };
    expect((await signOut('http://evil.example/')).status).toBe(400);
    const { text } = await signOut('http://localhost:5173/signed-out');
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const end = await follow(`${provider.issuer}/session/end/confirm`, { xsrf, logout: 'yes' });
    expect(end.url).toBe('http://localhost:5173/signed-out');
  });
});

describe('somebody new', () => {
  const add = async (form: Record<string, string>) => {
    const { begin, follow, finish } = app();
    const page = await begin('openid email');
    const end = await follow(`${page}/people`, form);
    return { ...end, claims: async () => decodeJwt((await finish(end.url)).access_token) };
  };

  it('is added on the sign-in page and signed in at once, with a verified address', async () => {
    const added = await add({ name: ' Lin Yun ', email: 'Lin@Example.com', isVerified: 'on' });
    const claims = await added.claims();
    expect(claims).toMatchObject({
      name: 'Lin Yun',
      email: 'lin@example.com',
      email_verified: true,
    });
    expect(claims).not.toHaveProperty('app_metadata');
    expect(claims).not.toHaveProperty('phone_number');
  });

  it('may have an address that is not verified, or want a shop', async () => {
    const added = await add({ name: 'Max', email: 'max@example.com', wantsShop: 'on' });
    expect(await added.claims()).toMatchObject({
      email_verified: false,
      app_metadata: { role: 'client' },
    });
  });

  it('can sign in again after a restart, by name, first name or address', async () => {
    await provider.stop();
    provider = await start(0);
    const { issuer } = provider;
    for (const person of ['lin@example.com', 'Lin Yun', 'lin', 'LIN@example.com']) {
      expect(decodeJwt(await obtainToken({ issuer, person })).email).toBe('lin@example.com');
    }
    await expect(obtainToken({ issuer, person: 'nobody@example.com' })).rejects.toThrow(
      'The sandbox has no such person, only consumer, merchant, operator, admin, lin@example.com',
    );
  });

  it.each([
    [{ name: 'Ada', email: 'ADA@example.com' }, 'ada@example.com can sign in already.'],
    [{ name: '', email: 'new@example.com' }, 'A person needs a name.'],
    [{ name: 'New', email: 'no address' }, 'A person needs one e-mail address'],
  ])('is not added as %j', async (form, reason) => {
    const { status, text } = await add(form);
    expect(status).toBe(400);
    expect(text).toContain(reason);
  });

  it('is not added by another page, which has no sign-in of this browser', async () => {
    const before = provider.people.list().length;
    const page = await app().begin('openid');
    const response = await fetch(`${page}/people`, {
      method: 'POST',
      body: new URLSearchParams({ name: 'Eve', email: 'eve@example.com' }),
    });
    expect(response.status).toBe(400);
    expect(provider.people.list()).toHaveLength(before);
  });

  it('is shown as text', async () => {
    const name = '<script>alert(1)</script>';
    await (await add({ name, email: 'script@example.com' })).claims();
    const { begin, follow } = app();
    const { text } = await follow(await begin('openid'));
    expect(text).toContain('Sign in as &lt;script&gt;');
    expect(text).not.toContain('<script>');
  });
});
