import { ProviderError } from './error.ts';

/** A provider's tokens for a merchant's account. */
export type Grant = {
  accessToken: string;
  refreshToken: string | null;
  /** The expiry of the access token; null when the provider gave none. */
  expiresAt: Date | null;
  merchantId: string | null;
};

/** The provider refused a code or a refresh token permanently. */
export class InvalidGrant extends Error {
  override readonly name = 'InvalidGrant';
  readonly isTransient = false;
}

export type ProviderOAuth = {
  /** The origin of the authorization page; a state is bound to it. */
  readonly origin: string;
  /** The names of required settings that are not set; without them no call works. */
  readonly missing: readonly string[];
  /** The URL to send a merchant to; the provider returns `state` unchanged. */
  authorizationUrl(state: string): URL;
  /**
   * Exchanges a code, which works only once. Throws InvalidGrant, ProviderError, or InvalidPayload
   * when the response does not have the expected shape.
   */
  exchange(code: string, signal?: AbortSignal): Promise<Grant>;
  /**
   * Gets new tokens. Without a new refresh token the old one stays valid. Throws as `exchange`.
   */
  refresh(refreshToken: string): Promise<Grant>;
  /**
   * Whether the provider knows our app by its id and secret; undefined when its answer does not
   * tell. Absent where it cannot be asked without a merchant. Throws ProviderError.
   */
  knowsApp?(): Promise<boolean | undefined>;
  /** Revokes our access to an account; absent where merchants do so themselves. */
  revoke?(account: { merchantId: string }): Promise<void>;
};

/** Awaits a request for a grant. Throws a permanent refusal as InvalidGrant. */
export async function granting<T>(ask: Promise<T>): Promise<T> {
  try {
    return await ask;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.isTransient) throw error;
    throw new InvalidGrant(`The grant was refused: ${error.message}`);
  }
}

/** The names of the settings that are not set, in order. */
export function unset(settings: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(settings).filter((name) => settings[name] === undefined);
}
