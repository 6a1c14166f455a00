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
  })
  .transform(({ nonce: attemptId, ...claims }) => ({ attemptId, ...claims }));

/** Who began to connect what, and where they were sent for it. */
export type StateClaims = z.infer<typeof Claims>;

export type OAuthStates = {
  /** Signs a state that is good for ten minutes, and says until when. */
  sign(claims: StateClaims): Promise<{ state: string; expiresAt: Date }>;
  /**
   * The claims of a state for that provider at that origin. Throws InvalidState for anything else
   * than one of ours, whatever was done to it.
   */
  verify(state: string, expected: Pick<StateClaims, 'provider' | 'origin'>): Promise<StateClaims>;
};

/** A state that does not let anybody in, and why. */
export class InvalidState extends Error {
  override readonly name = 'InvalidState';
  readonly error: 'invalid_state' | 'expired_state';

  constructor(error: InvalidState['error']) {
    super(`The state is refused: ${error}.`);
    this.error = error;
  }
}

const ALGORITHM = 'HS256';

/** States under a ring of keys: the first signs, all verify. Give it subkeys of its own. */
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
    // Told apart only after the signature has proved to be ours.
    throw new InvalidState(error instanceof errors.JWTExpired ? 'expired_state' : 'invalid_state');
  }
}
