import type { IncomingHttpHeaders } from 'node:http';
import * as tenants from '../../../db/tenants/tenants.ts';
import type { User } from '../../../db/users/users.ts';
import { Refusal } from '../../../domain/errors.ts';
import { TenantId } from '../../../domain/ids.ts';
import { holds } from '../../../domain/roles.ts';
import type { Deps } from '../deps.ts';
import { type Access, limitOf, type Route } from '../route.ts';
import { authenticate, type Bearer, requireActiveUser, requireCronSecret } from './authenticate.ts';
import { requireNoGuessing } from './code-guesses.ts';
import { likelyShop, namedShop, unnamedShop } from './shop.ts';
import { requireGrant, requireScope } from './token-grant.ts';

export type Caller = {
  headers: IncomingHttpHeaders;
  params: Record<string, string>;
  /** Counts a request of the authenticated user. Throws when it exceeds the rate limit. */
  count(user: User): Promise<void>;
};
export type Authorized = { user: User | undefined; tenant: tenants.Tenant | undefined };

/**
 * Authorizes a request, or throws the first refusal in this order: authentication, rate limit,
 * account status, tenant, permission of the role and of the token. Under /admin the permission
 * comes before the tenant, which only has to exist. A route of a till works in the shop that the
 * caller names, or in the only one.
 */
export async function authorize(route: Route, caller: Caller, deps: Deps): Promise<Authorized> {
  const bearer = await identify(route.access, caller, deps);
  const user = bearer?.user;
  const isAdminRoute = route.path.startsWith('/admin/');
  if (isAdminRoute) requirePermission(route, bearer, deps);

  const named = route.shop === undefined ? caller.params.tenantId : namedShop(caller.headers);
  const tenant = named === undefined ? undefined : await findTenant(named, deps);
  if (isAdminRoute) return { user, tenant };

  if (tenant !== undefined && !route.anyTenant) requireMembership(tenant, user);
  requirePermission(route, bearer, deps);
  if (route.shop === undefined || tenant !== undefined || user === undefined) {
    return { user, tenant };
  }
  return { user, tenant: await findTenant(unnamedShop(route.shop, user), deps) };
}

async function identify(
  access: Access,
  { headers, count }: Caller,
  deps: Deps,
): Promise<Bearer | undefined> {
  switch (access) {
    case 'public':
    case 'signed-webhook':
    case 'signed-state':
      return undefined;
    case 'cron-secret':
      requireCronSecret(headers['x-cron-secret']?.toString() ?? '', deps.settings.cronSecrets);
      return undefined;
    case 'any-token': {
      const bearer = await authenticate(headers, deps);
      await count(bearer.user);
      return bearer;
    }
    default: {
      const bearer = await authenticate(headers, deps);
      await count(bearer.user);
      requireActiveUser(bearer.user, deps);
      return bearer;
    }
  }
}

async function findTenant(id: string, { db }: Deps): Promise<tenants.Tenant> {
  const tenantId = TenantId.safeParse(id.toLowerCase());
  const tenant = tenantId.success ? await tenants.find(db, tenantId.data) : undefined;
  if (tenant === undefined)
    throw new Refusal('TENANT_NOT_FOUND', 'No merchant has this id. Check the id.');
  return tenant;
}

function requireMembership(tenant: tenants.Tenant, user: User | undefined): void {
  if (user?.tenantIds.includes(tenant.id)) return;
  throw new Refusal(
    'TENANT_FORBIDDEN',
    'You do not belong to this merchant. Ask the merchant for access.',
  );
}

function requirePermission(
  { access, scopes }: Route,
  bearer: Bearer | undefined,
  deps: Deps,
): void {
  switch (access) {
    case 'active-user':
      if (bearer !== undefined && scopes) requireScope(scopes, bearer.grant, deps);
      return;
    case 'public':
    case 'any-token':
    case 'signed-webhook':
    case 'signed-state':
    case 'cron-secret':
      return;
    default:
      if (bearer !== undefined && holds(bearer.user.role, access)) {
        requireGrant(access, bearer.grant, deps);
        return;
      }
      throw new Refusal(
        'INSUFFICIENT_ROLE',
        `Your role lacks the permission ${access}. Ask an administrator for it.`,
      );
  }
}

/**
 * Counts a request of a user, whatever its outcome, and returns headers with the remaining quota.
 * Throws RATE_LIMITED when the quota is exceeded, or codes were guessed.
 */
export async function countRequest(
  route: Route,
  { user, headers }: { user: User; headers: IncomingHttpHeaders },
  deps: Deps,
): Promise<Readonly<Record<string, string>>> {
  const name = limitOf(route);
  if (name === undefined) return {};
  const quota = await deps.limits[name](user.id);
  if (name !== 'lookups' || !holds(user.role, 'REDEMPTION_VERIFY')) return quota;
  const shop = likelyShop(user, headers);
  if (shop !== undefined) await deps.limits.tenantLookups(shop);
  await requireNoGuessing(deps.db, user.id, quota);
  return quota;
}
