import type { Provider } from '../../domain/payment.ts';
import { ProviderError } from './error.ts';

/** What a provider gives for a merchant's account. */
export type Grant = {
  accessToken: string;
  refreshToken: string | null;
  /** When the access token stops working; null when the provider did not say. */
  expiresAt: Date | null;
  merchantId: string | null;
};

/** The provider refuses a code or a refresh token for good. */
export class InvalidGrant extends Error {
  override readonly name = 'InvalidGrant';
  readonly isTransient = false;
}

export type ProviderOAuth = {
  /** Where merchants are sent to allow us in; a state is bound to it. */
  readonly origin: string;
  /** The names of the configuration that are not set and have to be before anything here works. */
  readonly missing: readonly string[];
  /** Where to send a merchant; the provider hands `state` back unchanged. */
  authorizationUrl(state: string): URL;
  /**
   * Exchanges a code, which works once. Throws InvalidGrant, ProviderError, or InvalidPayload for an
   * answer that is none of the provider's.
   */
  exchange(code: string, signal?: AbortSignal): Promise<Grant>;
  /**
   * Gets new tokens; without a new refresh token the old one stays good. Throws as `exchange` does.
   */
  refresh(refreshToken: string): Promise<Grant>;
  /** Gives an account back, where the provider knows such a thing. Throws ProviderError. */
  revoke(grant: { accessToken: string; merchantId: string }): Promise<void>;
};

export type OAuthByProvider = Readonly<Record<Provider, ProviderOAuth>>;

/** Asks for a grant. A refusal that asking again would only repeat is thrown as InvalidGrant. */
export async function granting<T>(ask: Promise<T>): Promise<T> {
  try {
    return await ask;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.isTransient) throw error;
    throw new InvalidGrant(`The grant was refused: ${error.message}`);
  }
}

/** The names of what is not set, in their order. */
export function unset(settings: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(settings).filter((name) => settings[name] === undefined);
}
