import { Refusal } from '../../../domain/errors.ts';
import type { Permission } from '../../../domain/roles.ts';
import {
  hasScope,
  type Scope,
  type Shortfall,
  scopeOf,
  shortfallOf,
  type TokenGrant,
} from '../../../domain/token-grant.ts';
import type { Deps } from '../deps.ts';

type Asking = Pick<Deps, 'settings' | 'now'>;

/** Throws unless the token may use the permission, which the role of its bearer holds. */
export function requireGrant(
  permission: Permission,
  grant: TokenGrant,
  { settings, now }: Asking,
): void {
  const shortfall = shortfallOf(permission, grant, settings.tokens, now());
  if (shortfall !== undefined) throw REFUSALS[shortfall](scopeOf(permission));
}

/** Throws INSUFFICIENT_ROLE unless the token has one of the scopes, where any is asked for. */
export function requireScope(
  scopes: readonly Scope[],
  grant: TokenGrant,
  { settings }: Pick<Asking, 'settings'>,
): void {
  if (!hasScope(scopes, grant, settings.tokens)) throw REFUSALS.missing_scope(scopes.join(' or '));
}

const REFUSALS: Record<Shortfall, (scope: string) => Refusal> = {
  wrong_client: () =>
    new Refusal(
      'INSUFFICIENT_ROLE',
      'The app that you signed in to may not do this. Use the app that is meant for it.',
      'wrong_client',
    ),
  missing_scope: (scope) =>
    new Refusal(
      'INSUFFICIENT_ROLE',
      `The access token lacks the scope ${scope}. Sign in with an app that asks for it.`,
      'missing_scope',
    ),
  sign_in_again: () =>
    new Refusal(
      'UNAUTHORIZED',
      'Administrators have to sign in more recently, or more surely. Sign in again.',
      'sign_in_again',
    ),
};
