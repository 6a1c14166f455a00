import { errors, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { AttemptId, TenantId, UserId } from '../../domain/ids.ts';
import { STATE_LIFETIME_MS } from '../../domain/oauth.ts';
import { PROVIDERS } from '../../domain/payment.ts';
import type { Key } from './sealer.ts';

/** The claims as they are signed. The nonce is the id of the attempt that the state begins. */
const Claims = z
  .object({
    nonce: AttemptId,
    tenantId: TenantId,
    userId: UserId,
    provider: z.enum(PROVIDERS),
    origin: z.string(),
    // Absent in a state that is bound to no browser.
    browser: z.string().optional(),
  })
  .transform(({ nonce: attemptId, ...claims }) => ({ attemptId, ...claims }));

/**
 * The attempt, the user who started it, the provider and origin they were sent to, and the hash of
 * the cookie of the browser that began, if it got one.
 */
export type StateClaims = z.infer<typeof Claims>;

export type OAuthStates = {
  /** Signs a state that is valid for ten minutes, and returns its expiry. */
  sign(claims: StateClaims): Promise<{ state: string; expiresAt: Date }>;
  /**
   * Returns the claims of a state for that provider at that origin. Throws InvalidState when it is
   * not one of ours, was altered, or has expired.
   */
  verify(state: string, expected: Pick<StateClaims, 'provider' | 'origin'>): Promise<StateClaims>;
};

/** A state that is not accepted, and the reason. */
export class InvalidState extends Error {
  override readonly name = 'InvalidState';
  readonly error: 'invalid_state' | 'expired_state';

  constructor(error: InvalidState['error']) {
    super(`The OAuth state was refused (${error}). Start connecting again.`);
    this.error = error;
  }
}

const ALGORITHM = 'HS256';

/** Signs states with the first key and verifies with all. Requires a ring of separate subkeys. */
export function createOAuthStates(
  ring: readonly Key[],
  now: () => Date = () => new Date(),
): OAuthStates {
  const [current] = ring;
  if (current === undefined) throw new Error('The key ring is empty: set ENCRYPTION_KEY.');
  const keyOf = ({ kid }: { kid?: string }) => {
    const key = ring.find(({ id }) => id === kid)?.key;
    if (key === undefined) throw new InvalidState('invalid_state');
    return key;
  };

  return {
    async sign({ attemptId: nonce, ...claims }) {
      const issuedAt = Math.floor(now().getTime() / 1000);
      const expiry = issuedAt + STATE_LIFETIME_MS / 1000;
      const state = await new SignJWT({ nonce, ...claims })
        .setProtectedHeader({ alg: ALGORITHM, kid: current.id })
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiry)
        .sign(current.key);
      return { state, expiresAt: new Date(expiry * 1000) };
    },

    async verify(state, { provider, origin }) {
      const claims = await verified(() =>
        jwtVerify(state, keyOf, {
          algorithms: [ALGORITHM],
          requiredClaims: ['iat', 'exp'],
          currentDate: now(),
        }),
      );
      const isExpected = claims?.provider === provider && claims.origin === origin;
      if (!isExpected) throw new InvalidState('invalid_state');
      return claims;
    },
  };
}

async function verified(verify: () => Promise<{ payload: unknown }>) {
  try {
    return Claims.safeParse((await verify()).payload).data;
  } catch (error) {
    // jose checks the expiry after the signature, so an expired state is one of ours.
    throw new InvalidState(error instanceof errors.JWTExpired ? 'expired_state' : 'invalid_state');
  }
}
