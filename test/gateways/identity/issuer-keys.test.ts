import { errors } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createIssuerKeys,
  IdentityProviderUnavailable,
  jwksUrlIn,
} from '../../../gateways/identity/issuer-keys.ts';
import { type HttpServer, startHttpServer } from '../../support/http/http-server.ts';
import { logTo } from '../../support/log.ts';
import { type Issuer, startIssuer } from '../../support/people/issuer.ts';

/** Long enough for an answer on a busy machine. */
const TIMEOUT_MS = 1_500;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DISCOVERY = '/.well-known/openid-configuration';

let issuer: Issuer;
let clock: number;
let lines: string[];
beforeEach(async () => {
  issuer = await startIssuer();
  clock = 1_000_000;
  lines = [];
});
afterEach(() => issuer.close());

function keysOf(options: { jwksUrl?: string; issuer?: string } = {}) {
  const find = createIssuerKeys({
    issuer: options.issuer ?? issuer.url,
    jwksUrl: options.jwksUrl,
    timeoutMs: TIMEOUT_MS,
    log: logTo(lines),
    now: () => clock,
  });
  return async (kid = 'key-1') => find({ alg: 'ES256', kid }, { payload: '', signature: '' });
}

const fetches = () => issuer.asked.filter((path) => path === '/jwks').length;
const eventsIn = () => lines.map((line) => JSON.parse(line).event);
const unknown = errors.JWKSNoMatchingKey;

describe('an issuer that answers', () => {
  it('is asked once for concurrent tokens, and again after ten minutes', async () => {
    const find = keysOf();
    await Promise.all(Array.from({ length: 20 }, () => find()));
    expect(issuer.asked).toEqual([DISCOVERY, '/jwks']);
    clock += 9 * MINUTE;
    await find();
    expect(fetches()).toBe(1);
    clock += 2 * MINUTE;
    await Promise.all([find(), find()]);
    expect(issuer.asked).toEqual([DISCOVERY, '/jwks', '/jwks']);
  });

  it('no longer has a retired key after ten minutes', async () => {
    const find = keysOf();
    await find();
    await issuer.rotate('key-2');
    await find();
    clock += 11 * MINUTE;
    await expect(find()).rejects.toBeInstanceOf(unknown);
    await find('key-2');
  });

  it('is asked for a key that is not known, also at a second rotation within seconds', async () => {
    const find = keysOf();
    await find();
    for (const kid of ['key-2', 'key-3', 'key-4']) {
      await issuer.rotate(kid);
      clock += 100;
      await find(kid);
    }
    expect(fetches()).toBe(4);
  });

  it('is asked once for a hundred keys that it does not have, at once or in a row', async () => {
    const find = keysOf();
    await find();
    const made = (index: number) => find(`made-up-${index}`).catch((error: unknown) => error);
    const atOnce = await Promise.all(Array.from({ length: 100 }, (_, index) => made(index)));
    expect(new Set(atOnce.map((error) => error instanceof unknown))).toEqual(new Set([true]));
    for (let index = 100; index < 200; index++) expect(await made(index)).toBeInstanceOf(unknown);
    expect(fetches()).toBe(2);
  });

  it('is not asked twice when the first token names a key that it does not have', async () => {
    const find = keysOf();
    await expect(find('made-up')).rejects.toBeInstanceOf(unknown);
    expect(fetches()).toBe(1);
  });

  it('has its new key found seconds after made-up ones were asked for', async () => {
    const find = keysOf();
    await find();
    await expect(find('made-up')).rejects.toBeInstanceOf(unknown);
    await issuer.rotate('key-2');
    clock += 6_000;
    await find('key-2');
  });
});

describe('an issuer that is away', () => {
  it.each(['outage', 'hangs'] as const)('(%s) keeps its keys in use for 12 hours', async (how) => {
    const find = keysOf();
    await find();
    issuer[how] = true;
    for (let hours = 1; hours < 12; hours++) {
      clock += HOUR;
      await find();
    }
    clock += 2 * HOUR;
    await expect(find()).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    expect(eventsIn()).toContain('identity_keys_unavailable');
  });

  it('is waited for once, and asked less and less often', async () => {
    const find = keysOf();
    await find();
    issuer.hangs = true;
    clock += 11 * MINUTE;
    const begun = performance.now();
    await find();
    expect(performance.now() - begun).toBeGreaterThan(TIMEOUT_MS * 0.9);
    for (let seconds = 0; seconds < 120; seconds++) {
      clock += 1_000;
      const called = performance.now();
      await find();
      expect(performance.now() - called).toBeLessThan(TIMEOUT_MS / 2);
      // A request that was begun has to end before the next is due.
      if (seconds % 40 === 0) await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS + 100));
    }
    expect(issuer.asked.length).toBeLessThan(2 + 2 * 8);
  });

  it('is found again without a restart, with the keys that it has then', async () => {
    const find = keysOf();
    await find();
    issuer.outage = true;
    clock += HOUR;
    await find();
    await issuer.rotate('key-2');
    issuer.outage = false;
    clock += MINUTE;
    await expect.poll(() => find().catch((error: unknown) => error)).toBeInstanceOf(unknown);
    await find('key-2');
    expect(eventsIn()).toEqual(['identity_keys_unavailable', 'identity_keys_back']);
  });

  it('can neither vouch for nor deny a key that is not known', async () => {
    const find = keysOf();
    await find();
    issuer.outage = true;
    await expect(find('key-2')).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    await expect(find('key-2')).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    expect(fetches()).toBe(2);
    await find();
  });

  it('from the start: nobody is let in, and it is asked again after a second', async () => {
    issuer.outage = true;
    const find = keysOf();
    await expect(find()).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    issuer.outage = false;
    await expect(find()).rejects.toBeInstanceOf(IdentityProviderUnavailable);
    clock += 1_100;
    await find();
  });
});

describe('an answer that is no set of keys', () => {
  let server: HttpServer;
  let body: unknown;
  beforeEach(async () => {
    server = await startHttpServer(() => ({ status: 200, body }));
  });
  afterEach(() => server.close());

  it.each([
    ['no keys, as Supabase has with a shared secret', { keys: [] }],
    ['a page', '<html>'],
    ['something else', { keys: 'key' }],
  ])('%s: the last good keys serve', async (_, broken) => {
    const good = await (await fetch(`${issuer.url}/jwks`)).json();
    body = good;
    const find = keysOf({ jwksUrl: `${server.url}/jwks` });
    await find();
    body = broken;
    clock += HOUR;
    await find();
    expect(eventsIn()).toEqual(['identity_keys_unavailable']);
  });

  it.each([
    ['https://id.example', 'http://id.example/jwks', false],
    ['https://id.example', 'https://keys.example/jwks', true],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/jwks', true],
  ])('an issuer at %s may name keys at %s: %s', (of, jwks_uri, may) => {
    const read = () => jwksUrlIn({ issuer: of, jwks_uri }, of);
    if (may) expect(read()).toBe(jwks_uri);
    else expect(read).toThrow(/https/);
  });
});
