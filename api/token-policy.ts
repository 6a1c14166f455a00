import type { TokenPolicy } from '../domain/token-grant.ts';
import type { Logger } from '../gateways/telemetry/logger.ts';

/** The settings that say for whom a token speaks; docs/identity.md explains them. */
export type TokenSettings = {
  OIDC_ADMIN_CLIENTS: readonly string[];
  OIDC_MERCHANT_CLIENTS: readonly string[];
  OIDC_SCOPES?: boolean | undefined;
  ADMIN_MAX_AUTH_AGE?: number | undefined;
  ADMIN_ACR?: string | undefined;
};

/** What any app that has signed a person in can do while a setting is missing, by its name. */
const NOT_ASKED = {
  OIDC_ADMIN_CLIENTS: 'the tokens of every app can do what an administrator can',
  OIDC_MERCHANT_CLIENTS: 'the tokens of every app can do what a merchant or an operator can',
  OIDC_SCOPES: 'a token can do all that the person can, whatever its scopes are',
  ADMIN_MAX_AUTH_AGE: 'administrators never have to sign in again',
  ADMIN_ACR: 'administrators may sign in as weakly as everybody else',
} as const;

/** Reads what is asked of access tokens, and warns of what is not. */
export function tokenPolicyFrom(config: TokenSettings, log: Logger): TokenPolicy {
  for (const [name, effect] of Object.entries(NOT_ASKED)) {
    const value = Object.entries(config).find(([key]) => key === name)?.[1];
    const isSet = Array.isArray(value) ? value.length > 0 : value !== undefined;
    if (!isSet)
      log.warn({ event: 'tokens_not_asked', setting: name }, `${name} is not set: ${effect}`);
  }
  return {
    adminClients: config.OIDC_ADMIN_CLIENTS,
    merchantClients: config.OIDC_MERCHANT_CLIENTS,
    needsScopes: config.OIDC_SCOPES ?? false,
    adminMaxAuthAge: config.ADMIN_MAX_AUTH_AGE,
    adminAcr: config.ADMIN_ACR,
  };
}
