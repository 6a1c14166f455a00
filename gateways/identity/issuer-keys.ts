import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import type { Logger } from '../telemetry/logger.ts';

/** The issuer's keys are not available, so that a token can be neither accepted nor refused. */
export class IdentityProviderUnavailable extends Error {
  override readonly name = 'IdentityProviderUnavailable';
}

/** Keys older than this are fetched again, so that a retired one is accepted no longer. */
const FRESH_MS = 10 * 60_000;
/**
 * While they cannot be fetched, the last good keys serve for this long: half a day covers any
 * outage that a provider recovers from, and bounds the life of a key that leaked meanwhile.
 */
const USABLE_MS = 12 * 3_600_000;
/** After a fetch that failed, the next one waits: twice as long each time. */
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;
/** After a fetch that did not bring the key asked for; made-up keys must not reach the issuer. */
const FUTILE_MS = 5_000;
const TIMEOUT_MS = 5_000;

type Options = {
  issuer: string;
  /** Discovered from the issuer when absent. */
  jwksUrl?: string | undefined;
  log: Logger;
  timeoutMs?: number;
  /** A clock that never goes back, in milliseconds. */
  now?: () => number;
};

/**
 * Creates the look-up of one issuer's keys, which are fetched when the first is needed. A key that
 * is not known is asked for once. Throws jose's errors for a key that the issuer does not have, and
 * IdentityProviderUnavailable when that cannot be told.
 */
export function createIssuerKeys(options: Options): JWTVerifyGetKey {
  const { now = clock } = options;
  const loader = createLoader(options, now);
  let futileUntil = 0;

  async function ensureUsable(): Promise<void> {
    if (now() - loader.loadedAt >= FRESH_MS) {
      const loaded = loader.load();
      // In an outage that is known nobody waits for the next attempt, which may hang.
      if (loader.loads === 0 || !loader.isOut()) await loaded;
    }
    if (now() - loader.loadedAt >= USABLE_MS) throw loader.unavailable();
  }

  /** Whether there are others than the keys of this load; false if none need be asked for. */
  async function hasNewerThan(load: number, loadsBefore: number): Promise<boolean> {
    if (loader.loads !== load) return true;
    if (load > loadsBefore || now() < futileUntil) return false;
    await loader.load();
    if (loader.loads === load) throw loader.unavailable();
    return true;
  }

  return async (header, token) => {
    const loadsBefore = loader.loads;
    await ensureUsable();
    const load = loader.loads;
    const key = await findIn(loader.find, header, token);
    if (key !== undefined) return key;
    if (await hasNewerThan(load, loadsBefore)) {
      const newKey = await findIn(loader.find, header, token);
      if (newKey !== undefined) return newKey;
      futileUntil = now() + FUTILE_MS;
    }
    throw new errors.JWKSNoMatchingKey();
  };
}

const clock = () => performance.now();

/** Creates what holds the last good keys, and fetches them when it is told to. */
function createLoader(options: Options, now: () => number) {
  const { issuer, jwksUrl, log, timeoutMs = TIMEOUT_MS } = options;
  const fetchKeys = createFetch(options);
  let failures = 0;
  let lastFailure: unknown;
  let retryAt = 0;

  function fail(error: unknown): void {
    if (failures === 0) {
      const text = 'The keys of the issuer cannot be fetched; the last ones serve for 12 hours';
      log.warn({ event: 'identity_keys_unavailable', issuer, err: error }, text);
    }
    retryAt = now() + Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS);
    failures += 1;
    lastFailure = error;
  }

  const loader = {
    loads: 0,
    loadedAt: Number.NEGATIVE_INFINITY,
    // It never fetches by itself, since it would judge the age of keys by a clock that is set.
    find: createRemoteJWKSet(new URL(jwksUrl ?? issuer), {
      cacheMaxAge: Number.POSITIVE_INFINITY,
      cooldownDuration: Number.POSITIVE_INFINITY,
      timeoutDuration: timeoutMs,
      async [customFetch](_, { signal }) {
        if (now() < retryAt) throw lastFailure;
        const keys = await fetchKeys(signal).catch((error) => {
          fail(error);
          throw error;
        });
        if (failures > 0)
          log.info({ event: 'identity_keys_back', issuer }, 'The issuer has keys again');
        failures = 0;
        loader.loads += 1;
        loader.loadedAt = now();
        return Response.json(keys);
      },
    }),
    /** Fetches the keys, once for everybody who waits. Never rejects: the last ones stay. */
    load: () => loader.find.reload().catch(() => undefined),
    isOut: () => failures > 0,
    unavailable: () =>
      new IdentityProviderUnavailable(`No keys from ${issuer}.`, { cause: lastFailure }),
  };
  return loader;
}

/** Returns the key, or undefined if there is none. One that cannot be read counts as no answer. */
async function findIn(find: JWTVerifyGetKey, ...asked: Parameters<JWTVerifyGetKey>) {
  try {
    return await find(...asked);
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined;
    if (error instanceof errors.JWKSMultipleMatchingKeys) throw error;
    throw new IdentityProviderUnavailable('A key of the issuer cannot be read.', { cause: error });
  }
}

/** Asks the issuer for its keys, and returns how many there are. Throws what is wrong. */
export async function askIssuer(
  issuer: Pick<Options, 'issuer' | 'jwksUrl'>,
  signal: AbortSignal,
): Promise<{ keys: number }> {
  const { keys } = await createFetch(issuer)(signal);
  return { keys: keys.length };
}

function createFetch({ issuer, jwksUrl }: Pick<Options, 'issuer' | 'jwksUrl'>) {
  let discovered: string | undefined;

  return async (signal: AbortSignal) => {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const url = jwksUrl ?? discovered ?? jwksUrlIn(await fetchJson(address, signal), issuer);
    // Forgotten until it worked, because the issuer may have moved its keys.
    discovered = undefined;
    const keys = KeySet.parse(await fetchJson(url, signal));
    discovered = url;
    return keys;
  };
}

async function fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
  const headers = { accept: 'application/json' };
  const response = await fetch(url, { headers, signal, redirect: 'error' });
  if (response.ok) return await response.json();
  await response.body?.cancel();
  throw new Error(`${url} answered ${response.status}`);
}

const NO_KEYS = 'no public keys; a provider that signs with a shared secret publishes none';
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1, NO_KEYS) });

/**
 * Returns where the issuer's discovery document says that its keys are. Throws for the document of
 * another issuer, whose keys would sign this one's tokens, and for a downgrade from https.
 */
export function jwksUrlIn(document: unknown, issuer: string): string {
  const Discovery = z.object({ issuer: z.literal(issuer), jwks_uri: z.url() });
  const { jwks_uri: url } = Discovery.parse(document);
  if (issuer.startsWith('https:') && !url.startsWith('https:')) {
    throw new Error(`${issuer} is on https, but names keys at ${url}`);
  }
  return url;
}
