import type { Permission } from './roles.ts';

/** For whom an access token speaks, and how its bearer signed in. */
export type TokenGrant = {
  /** The app that it was issued to; null if the token names none. */
  client: string | null;
  scopes: readonly string[];
  /** When the person last proved who they are, in seconds since 1970; null if it does not say. */
  signedInAt: number | null;
  /** How surely they did. */
  acr: string | null;
};

/** What is asked of a token besides whose it is. What is not set is not asked. */
export type TokenPolicy = {
  /** The apps that may use the permissions of administrators; all, if it is empty. */
  adminClients: readonly string[];
  /** The apps that may use those of merchants and of tills; all, if it is empty. */
  merchantClients: readonly string[];
  /** Whether a token needs the scope of a permission's group. */
  needsScopes: boolean;
  /** For how many seconds administrators' sign-ins are good. */
  adminMaxAuthAge: number | undefined;
  adminAcr: string | undefined;
};

export type Scope = 'wallet' | 'till' | 'shop' | 'admin';

/** How far the clock of the issuer may be from ours. */
export const CLOCK_SKEW_SECONDS = 60;

/** Returns the scope that a permission's group has. */
export function scopeOf(permission: Permission): Scope {
  if (permission.startsWith('ADMIN_')) return 'admin';
  if (permission.startsWith('TENANT_')) return 'shop';
  return permission === 'REDEMPTION_VERIFY' ? 'till' : 'wallet';
}

/** Why a token cannot use a permission that the role of its bearer holds. */
export type Shortfall = 'wrong_client' | 'missing_scope' | 'sign_in_again';

/**
 * Judges whether a token may use a permission that its bearer holds; undefined if it may. What
 * consumers may do, every app may. To sign in again is asked last: it helps against nothing else.
 */
export function shortfallOf(
  permission: Permission,
  grant: TokenGrant,
  policy: TokenPolicy,
  now: Date,
): Shortfall | undefined {
  const scope = scopeOf(permission);
  const { adminClients, merchantClients } = policy;
  const clients = { wallet: [], till: merchantClients, shop: merchantClients, admin: adminClients };
  if (!isAmong(clients[scope], grant)) return 'wrong_client';
  if (!hasScope([scope], grant, policy)) return 'missing_scope';
  return scope === 'admin' && !isSureAndRecent(grant, policy, now) ? 'sign_in_again' : undefined;
}

/** Whether a token has one of the scopes, or none is asked for. */
export function hasScope(
  scopes: readonly Scope[],
  grant: Pick<TokenGrant, 'scopes'>,
  { needsScopes }: Pick<TokenPolicy, 'needsScopes'>,
): boolean {
  return !needsScopes || scopes.some((scope) => grant.scopes.includes(scope));
}

function isAmong(clients: readonly string[], { client }: TokenGrant): boolean {
  return clients.length === 0 || (client !== null && clients.includes(client));
}

function isSureAndRecent(
  { signedInAt, acr }: TokenGrant,
  { adminMaxAuthAge, adminAcr }: TokenPolicy,
  now: Date,
): boolean {
  if (adminAcr !== undefined && acr !== adminAcr) return false;
  if (adminMaxAuthAge === undefined) return true;
  if (signedInAt === null) return false;
  const age = now.getTime() / 1_000 - signedInAt;
  return age >= -CLOCK_SKEW_SECONDS && age <= adminMaxAuthAge + CLOCK_SKEW_SECONDS;
}
