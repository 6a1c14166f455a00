import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { doClocksAgree, secondsApart } from '../../domain/clock-gap.ts';
import { askIssuer } from '../identity/issuer-keys.ts';
import { limitedTo } from '../timing.ts';
import { type Check, NotKnown } from './check.ts';

// Checks of addresses that anybody may ask.

const TIMEOUT_MS = 8_000;
const AGAIN_AFTER_MS = 1_000;

type Issuer = { issuer: string; jwksUrl?: string | undefined };

/** Whether the issuer says that it is the issuer, and publishes keys. */
export function issuerCheck(issuer: Issuer): Check {
  return {
    name: 'issuer',
    todo: 'Compare OIDC_ISSUER with the `iss` of a token, character for character; OIDC_JWKS_URL.',
    async look() {
      const { keys } = await askIssuer(issuer, AbortSignal.timeout(TIMEOUT_MS));
      return `${issuer.issuer} publishes ${keys} key${keys === 1 ? '' : 's'}`;
    },
  };
}

/** Whether this machine's clock agrees with the issuer's as far as tokens need it. */
export function clockCheck({ issuer, jwksUrl }: Issuer): Check {
  return comparingClocks('clock', 'the issuer', async () => {
    const url = jwksUrl ?? `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const response = await fetch(url, { signal: limitedTo(TIMEOUT_MS) }).catch(() => undefined);
    await response?.body?.cancel();
    const date = response?.headers.get('date');
    if (date == null) throw new NotKnown('the issuer does not say what time it is');
    return { theirs: new Date(date), precisionMs: 1_000 };
  });
}

/** Whether this machine's clock agrees with another one as far as tokens need it. */
export function comparingClocks(
  name: string,
  other: string,
  ask: () => Promise<{ theirs: Date; precisionMs?: number }>,
): Check {
  return {
    name,
    todo: 'Have both machines follow a time server (NTP): tokens and codes go by the clock.',
    async look() {
      const askedAt = new Date();
      const answer = await ask();
      const apart = secondsApart({ askedAt, answeredAt: new Date(), ...answer });
      const text = `this machine and ${other} are ${Math.round(apart)} seconds apart`;
      if (doClocksAgree(apart)) return text;
      throw new Error(text);
    },
  };
}

const Health = z.object({ status: z.literal('ok'), version: z.string(), env: z.string() });

/**
 * Whether this service answers at its public address. With `forMs` it is waited for that long,
 * since a proxy may wait until the API is ready.
 */
export function publicAddressCheck(apiBaseUrl: string, forMs = 0): Check {
  const ask = async () => {
    const url = `${apiBaseUrl}/health`;
    const response = await fetch(url, { redirect: 'error', signal: limitedTo(TIMEOUT_MS) });
    const { data } = Health.safeParse(await response.json().catch(() => undefined));
    if (data !== undefined) return `${url} is version ${data.version} for ${data.env}`;
    throw new Error(`${url} answered ${response.status}, and is not this service`);
  };
  return {
    name: 'public address',
    todo: 'Check API_BASE_URL, its DNS name and certificate, and the proxy that ends TLS.',
    withinMs: forMs + TIMEOUT_MS + AGAIN_AFTER_MS,
    async look() {
      const until = performance.now() + forMs;
      for (;;) {
        try {
          return await ask();
        } catch (error) {
          if (performance.now() >= until) throw error;
          await sleep(AGAIN_AFTER_MS, undefined, { ref: false });
        }
      }
    },
  };
}
