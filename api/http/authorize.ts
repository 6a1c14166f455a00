import type { IncomingHttpHeaders } from 'node:http';
import * as tenants from '../../db/tenants/tenants.ts';
import type { User } from '../../db/users/users.ts';
import { Refusal } from '../../domain/errors.ts';
import { TenantId } from '../../domain/ids.ts';
import { holds } from '../../domain/roles.ts';
import { authenticate, requireActiveUser, requireCronSecret } from './authenticate.ts';
import type { Deps } from './deps.ts';
import type { RateLimits } from './rate-limits.ts';
import { type Access, limitOf, type Route } from './route.ts';

export type Caller = {
  headers: IncomingHttpHeaders;
  params: Record<string, string>;
  /** Counts a request of the user, who is known from here on. Throws when it is one too many. */
  count(user: User): Promise<void>;
};
export type Authorized = { user: User | undefined; tenant: tenants.Tenant | undefined };

/**
 * Lets a request in to its route, or throws the refusal it deserves, in the contract's order:
 * authentication (and what is counted of it), tenant, permission. Under /admin the permission comes
 * before the tenant, which need only exist.
 */
export async function authorize(route: Route, caller: Caller, deps: Deps): Promise<Authorized> {
  const user = await identify(route.access, caller, deps);
  const isAdminRoute = route.path.startsWith('/admin/');
  if (isAdminRoute) requirePermission(route.access, user);

  const tenant = await findTenant(caller.params.tenantId, deps);
  if (isAdminRoute) return { user, tenant };

  if (tenant !== undefined) requireMembership(tenant, user);
  requirePermission(route.access, user);
  return { user, tenant };
}

async function identify(
  access: Access,
  { headers, count }: Caller,
  deps: Deps,
): Promise<User | undefined> {
  switch (access) {
    case 'public':
    case 'signed-webhook':
    case 'signed-state':
      return undefined;
    case 'cron-secret':
      requireCronSecret(headers['x-cron-secret']?.toString() ?? '', deps.settings.cronSecrets);
      return undefined;
    case 'any-token': {
      const user = await authenticate(headers.authorization, deps);
      await count(user);
      return user;
    }
    default: {
      const user = await authenticate(headers.authorization, deps);
      await count(user);
      requireActiveUser(user, deps);
      return user;
    }
  }
}

async function findTenant(
  id: string | undefined,
  { db }: Deps,
): Promise<tenants.Tenant | undefined> {
  if (id === undefined) return undefined;
  const tenantId = TenantId.safeParse(id.toLowerCase());
  const tenant = tenantId.success ? await tenants.find(db, tenantId.data) : undefined;
  if (tenant === undefined) throw new Refusal('TENANT_NOT_FOUND', 'There is no such tenant.');
  return tenant;
}

function requireMembership(tenant: tenants.Tenant, user: User | undefined): void {
  if (user?.tenantIds.includes(tenant.id)) return;
  throw new Refusal('TENANT_FORBIDDEN', 'You do not belong to this tenant.');
}

function requirePermission(access: Access, user: User | undefined): void {
  switch (access) {
    case 'public':
    case 'any-token':
    case 'signed-webhook':
    case 'signed-state':
    case 'cron-secret':
      return;
    default:
      if (user !== undefined && holds(user.role, access)) return;
      throw new Refusal('INSUFFICIENT_ROLE', `This needs the permission ${access}.`);
  }
}

/**
 * Counts a request of a user, one that fails as well, and returns the headers that say what is left
 * of the limit. Throws RATE_LIMITED when the limit is exceeded.
 */
export async function countRequest(
  route: Route,
  user: User,
  limits: RateLimits,
): Promise<Readonly<Record<string, string>>> {
  const name = limitOf(route);
  if (name === undefined) return {};
  const headers = await limits[name](user.id);
  // The newest membership is the one that an operator works in.
  const tenantId = user.tenantIds.at(-1);
  if (name === 'lookups' && tenantId !== undefined && holds(user.role, 'REDEMPTION_VERIFY')) {
    await limits.tenantLookups(tenantId);
  }
  return headers;
}
