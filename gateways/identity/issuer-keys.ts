import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
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

type Held = { find: JWTVerifyGetKey; at: number; load: number };

/**
 * Creates the look-up of one issuer's keys, which are fetched when the first is needed. A key that
 * is not known is asked for once. Throws jose's errors for a key that the issuer does not have, and
 * IdentityProviderUnavailable when that cannot be told.
 */
export function createIssuerKeys(options: Options): JWTVerifyGetKey {
  const { now = clock } = options;
  const loader = createLoader(options, now);
  let futileUntil = 0;

  async function current(): Promise<Held> {
    const { held } = loader;
    const isFresh = held !== undefined && now() - held.at < FRESH_MS;
    if (!isFresh && !loader.isResting()) {
      const loaded = loader.load();
      // In an outage that is known nobody waits for the next attempt, which may hang.
      if (held === undefined || !loader.isOut()) await loaded;
    }
    const known = loader.held;
    if (known !== undefined && now() - known.at < USABLE_MS) return known;
    throw loader.unavailable();
  }

  /** Returns keys other than `known`; undefined if the issuer need not be asked for any. */
  async function newerThan(known: Held, loadsBefore: number): Promise<Held | undefined> {
    if (loader.held !== known) return loader.held;
    if (loader.isResting()) throw loader.unavailable();
    if (known.load > loadsBefore || now() < futileUntil) return undefined;
    await loader.load();
    if (loader.held === known) throw loader.unavailable();
    return loader.held;
  }

  return async (header, token) => {
    const loadsBefore = loader.held?.load ?? 0;
    const known = await current();
    const key = await findIn(known, header, token);
    if (key !== undefined) return key;
    const newer = await newerThan(known, loadsBefore);
    const newKey = newer && (await findIn(newer, header, token));
    if (newKey !== undefined) return newKey;
    if (newer !== undefined) futileUntil = now() + FUTILE_MS;
    throw new errors.JWKSNoMatchingKey();
  };
}

const clock = () => performance.now();

type Loader = {
  /** The last good keys. */
  held: Held | undefined;
  /** Fetches the keys, once for everybody who waits. Never rejects: `held` stays as it was. */
  load(): Promise<void>;
  /** Whether the last attempt failed. */
  isOut(): boolean;
  /** Whether it is too early for another attempt. */
  isResting(): boolean;
  unavailable(): IdentityProviderUnavailable;
};

function createLoader(options: Options, now: () => number): Loader {
  const { issuer, log } = options;
  const fetchKeys = createFetch(options);
  let loading: Promise<void> | undefined;
  let failures = 0;
  let lastFailure: unknown;
  let retryAt = 0;

  function accept(keys: JSONWebKeySet): void {
    const load = (loader.held?.load ?? 0) + 1;
    loader.held = { find: createLocalJWKSet(keys), at: now(), load };
    if (failures > 0)
      log.info({ event: 'identity_keys_back', issuer }, 'The issuer has keys again');
    failures = 0;
  }

  function fail(error: unknown): void {
    if (failures === 0) {
      const text = 'The keys of the issuer cannot be fetched; the last ones serve for 12 hours';
      log.warn({ event: 'identity_keys_unavailable', issuer, err: error }, text);
    }
    retryAt = now() + Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS);
    failures += 1;
    lastFailure = error;
  }

  const loader: Loader = {
    held: undefined,
    load() {
      loading ??= fetchKeys()
        .then(accept)
        .catch(fail)
        .finally(() => {
          loading = undefined;
        });
      return loading;
    },
    isOut: () => failures > 0,
    isResting: () => failures > 0 && now() < retryAt,
    unavailable: () =>
      new IdentityProviderUnavailable(`No keys from ${issuer}.`, { cause: lastFailure }),
  };
  return loader;
}

/** Returns the key, or undefined if there is none. One that cannot be read counts as no answer. */
async function findIn({ find }: Held, ...asked: Parameters<JWTVerifyGetKey>) {
  try {
    return await find(...asked);
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return undefined;
    if (error instanceof errors.JWKSMultipleMatchingKeys) throw error;
    throw new IdentityProviderUnavailable('A key of the issuer cannot be read.', { cause: error });
  }
}

function createFetch({ issuer, jwksUrl, timeoutMs = TIMEOUT_MS }: Options) {
  let discovered: string | undefined;

  async function fetchJson(url: string): Promise<unknown> {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    if (response.ok) return await response.json();
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}`);
  }

  async function discover(): Promise<string> {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    return jwksUrlIn(await fetchJson(address), issuer);
  }

  return async (): Promise<JSONWebKeySet> => {
    const url = jwksUrl ?? discovered ?? (await discover());
    // Forgotten until it worked, because the issuer may have moved its keys.
    discovered = undefined;
    const keys = KeySet.parse(await fetchJson(url));
    discovered = url;
    return keys;
  };
}

const KeySet = z.custom<JSONWebKeySet>(
  (value) =>
    z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) }).safeParse(value).success,
  'is not a set of public keys; a provider that signs with a shared secret publishes none',
);

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
