import type { IncomingHttpHeaders } from 'node:http';
import type { User } from '../../../db/users/users.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { TenantId } from '../../../domain/ids.ts';
import type { Route } from '../route.ts';

/** Returns what `X-Tenant-Id` holds, in lower case as ids are; undefined without the header. */
export function namedShop(headers: IncomingHttpHeaders): string | undefined {
  return headers['x-tenant-id']?.toString().toLowerCase();
}

/**
 * Returns the shop of an operator who names none: the only one, or of several the one that they
 * joined first. Throws TENANT_FORBIDDEN without any, and VALIDATION_ERROR where one of several has
 * to be named.
 */
export function unnamedShop(shop: NonNullable<Route['shop']>, user: User): TenantId {
  const [oldest, another] = user.tenantIds;
  if (oldest === undefined) {
    throw new Refusal(
      'TENANT_FORBIDDEN',
      'You are not an operator of a shop. Ask its merchant to invite you.',
    );
  }
  if (another === undefined || shop === 'oldest') return oldest;
  throw new Refusal(
    'VALIDATION_ERROR',
    'You work at several shops. Name one of them in the header X-Tenant-Id.',
    'shop_required',
  );
}

/** Returns the shop that a request will work in if it is let in; undefined if it cannot be. */
export function likelyShop(user: User, headers: IncomingHttpHeaders): TenantId | undefined {
  const named = namedShop(headers);
  if (named !== undefined) return user.tenantIds.find((id) => id === named);
  return user.tenantIds.length === 1 ? user.tenantIds[0] : undefined;
}
