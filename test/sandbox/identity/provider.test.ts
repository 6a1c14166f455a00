import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PEOPLE, PERSON_NAMES } from '../../../sandbox/identity/people.ts';
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../../sandbox/identity/provider.ts';
import { obtainToken } from '../../../sandbox/identity/sign-in.ts';
import { newSigningKey, newState, type SigningKey, saveState } from '../../../sandbox/state.ts';

const audience = 'loyalty-api';
let signingKey: SigningKey;
let provider: IdentityProvider;
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'sandbox-identity-'));
  signingKey = await newSigningKey();
  provider = await startIdentityProvider({ port: 0, signingKey, people: PEOPLE, audience });
});

afterAll(async () => {
  await provider.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function verify(token: string, issuer = provider.issuer) {
  const { jwks_uri } = Discovery.parse(await getJson(`${issuer}/.well-known/openid-configuration`));
  const keys = createLocalJWKSet(KeySet.parse(await getJson(jwks_uri)));
  return jwtVerify(token, keys, { issuer, audience, algorithms: ['ES256'], typ: 'at+jwt' });
}

const Discovery = z.object({ jwks_uri: z.url() });
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** Requests on a new connection, since a pooled one would not survive the provider's restart. */
async function getJson(url: string): Promise<unknown> {
  const [response] = await once(get(url, { agent: false }), 'response');
  return json(response);
}

describe('obtainToken', () => {
  it.each(PERSON_NAMES)('returns a token for %s that the published keys verify', async (person) => {
    const token = await obtainToken({ issuer: provider.issuer, person });
    const { payload } = await verify(token);

    expect(payload).toMatchObject(PEOPLE[person]);
    expect(Number(payload.exp) - Number(payload.iat)).toBe(3600);
    expect(decodeProtectedHeader(token)).toEqual({
      alg: 'ES256',
      typ: 'at+jwt',
      kid: signingKey.kid,
    });
  });

  it('only the merchant has the claim that requests a workspace', async () => {
    const roles = PERSON_NAMES.map(async (person) => {
      const { payload } = await verify(await obtainToken({ issuer: provider.issuer, person }));
      return [person, payload.app_metadata];
    });
    expect(Object.fromEntries(await Promise.all(roles))).toEqual({
      consumer: undefined,
      merchant: { role: 'client' },
      operator: undefined,
      admin: undefined,
    });
  });

  it('throws a clear error when another server listens at the issuer', async () => {
    const other = await startIdentityProvider({ port: 0, signingKey, people: PEOPLE, audience });
    const issuer = other.issuer.replace('127.0.0.1', 'localhost');
    await expect(obtainToken({ issuer, person: 'admin' })).rejects.toThrow(
      `The server at ${issuer} is not the sandbox's identity provider.`,
    );
    await other.stop();
  });
});

describe('the provider', () => {
  it('old tokens stay valid after a restart on the same port', async () => {
    const first = await startIdentityProvider({ port: 0, signingKey, people: PEOPLE, audience });
    const token = await obtainToken({ issuer: first.issuer, person: 'consumer' });
    await first.stop();

    const port = Number(new URL(first.issuer).port);
    const second = await startIdentityProvider({ port, signingKey, people: PEOPLE, audience });
    const { payload } = await verify(token, second.issuer);
    expect(payload.sub).toBe(PEOPLE.consumer.sub);
    await second.stop();
  });

  it('refuses an authorization request without PKCE', async () => {
    const authorize = new URL(`${provider.issuer}/auth`);
    authorize.search = new URLSearchParams({
      client_id: 'sandbox',
      response_type: 'code',
      redirect_uri: 'http://127.0.0.1/callback',
      scope: 'openid',
    }).toString();
    const response = await fetch(authorize, { redirect: 'manual' });
    const answer = new URL(response.headers.get('location') ?? '');
    expect(answer.searchParams.get('error')).toBe('invalid_request');
    expect(answer.searchParams.get('error_description')).toContain('PKCE');
  });

  it.each([
    'https://evil.example/callback',
    'http://localhost.evil.example/callback',
    'http://localhost@evil.example/callback',
    'http://me:secret@localhost/callback',
    'http://localhost/callback#fragment',
    'myapp://localhost/callback',
  ])('400 without a redirect for %s, which is no address of this machine', async (redirectUri) => {
    const query = new URLSearchParams({
      client_id: 'sandbox',
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: 'openid',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const response = await fetch(`${provider.issuer}/auth?${query}`, { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
  });

  it('400 for client credentials without a person', async () => {
    const response = await fetch(`${provider.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'sandbox' }),
    });
    expect(response.status).toBe(400);
  });

  it('listens only on the loopback address', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === 'IPv4' && !address.internal);
    const { port } = new URL(provider.issuer);
    // The port is free on that address unless the provider listens there as well.
    const probe = createServer();
    const taken = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(true));
      probe.listen(Number(port), outside?.address ?? '127.0.0.2', () => resolve(false));
    });
    expect(taken).toBe(false);
    probe.close();
  });
});

describe('the sign-in pages', () => {
  it('offer four people, and show the token after the sign-in', async () => {
    const cookies = new Map<string, string>();
    const visit = async (url: string, form?: URLSearchParams) => {
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
        ...(form && { method: 'POST', body: form }),
      });
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      return response;
    };
    const follow = async (start: Response, from: string) => {
      let response = start;
      let url = from;
      for (let location = response.headers.get('location'); location !== null; ) {
        url = new URL(location, url).href;
        response = await visit(url);
        location = response.headers.get('location');
      }
      return { url, text: await response.text() };
    };

    const start = `${provider.url}/sign-in`;
    const choice = await follow(await visit(start), start);
    expect(choice.text.match(/<button name="person"/g)).toHaveLength(4);
    expect(choice.text).toContain('Somebody new');
    expect(choice.text).toContain('Sign in as Ada Byron');

    const form = new URLSearchParams({ person: 'operator' });
    const end = await follow(await visit(choice.url, form), choice.url);
    const token = /<textarea[^>]*>([^<]+)</.exec(end.text)?.[1] ?? '';
    expect((await verify(token)).payload.sub).toBe(PEOPLE.operator.sub);
  });

  it('400 for an unknown person', async () => {
    const response = await fetch(`${provider.url}/interaction/none`, {
      method: 'POST',
      body: new URLSearchParams({ person: 'toString' }),
    });
    expect(response.status).toBe(400);
  });

  it('400 for a callback without a started sign-in', async () => {
    const response = await fetch(`${provider.url}/signed-in?code=x&state=y`);
    expect(response.status).toBe(400);
  });
});

describe('npm run token', () => {
  it('prints only the token on stdout', async () => {
    const state = await newState();
    state.ports.identity = Number(new URL(provider.issuer).port);
    saveState(dir, state);

    const run = await token('admin');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect((await verify(run.stdout.trim())).payload.email).toBe('admin@loyalty.example');
  });

  it.each([
    { args: ['nobody'], says: 'consumer|merchant|operator|admin', because: 'unknown person' },
    { args: [], says: 'consumer|merchant|operator|admin', because: 'no person given' },
    { args: ['admin'], says: 'npm start', because: 'the sandbox is not running' },
  ])('exits 1 with one line: $because', async ({ args, says }) => {
    const free = await startIdentityProvider({ port: 0, signingKey, people: PEOPLE, audience });
    await free.stop();
    const state = await newState();
    state.ports.identity = Number(new URL(free.issuer).port);
    saveState(dir, state);

    const run = await token(...args);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr.trim().split('\n')).toEqual([expect.stringContaining(says)]);
  });
});

function token(...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'sandbox/token.ts', ...args], {
    env: { ...process.env, SANDBOX_DIR: dir },
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, ...output }));
  });
}
