import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../../api/http/replies/errors.ts';
import { pathOf, type Route } from '../../api/http/route.ts';
import { documentedErrors } from '../../api/openapi/documented-errors.ts';
import { routes } from '../../api/routes/index.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { holds, ROLES, type Role } from '../../domain/roles.ts';
import { aTenant, aWallet } from '../support/factories.ts';
import { useApp } from '../support/fixtures.ts';
import type { Answer } from '../support/http/app.ts';
import { bodyOf } from '../support/http/open-shop.ts';
import type { TestPerson } from '../support/people/tokens.ts';

type Situation =
  | 'no token'
  | 'a token'
  | 'own tenant'
  | 'other tenant'
  | 'unknown tenant'
  | 'malformed tenant'
  | 'malformed id';
type Decision = 'let in' | keyof typeof STATUS;

const STATUS = {
  UNAUTHORIZED: 401,
  INSUFFICIENT_ROLE: 403,
  TENANT_FORBIDDEN: 403,
  TENANT_NOT_FOUND: 404,
  NOT_FOUND: 404,
} as const satisfies Partial<Record<ErrorCode, number>>;

const AUTHORIZATION_CODES: readonly (string | undefined)[] = [
  'UNAUTHORIZED',
  'INSUFFICIENT_ROLE',
  'TENANT_FORBIDDEN',
  'TENANT_NOT_FOUND',
];

const idsOf = ({ path }: Route): string[] => path.match(/:\w+/g) ?? [];
const namesTenant = (route: Route) => idsOf(route).includes(':tenantId');

function situationsOf(route: Route): Situation[] {
  const tenants: Situation[] = ['own tenant', 'other tenant', 'unknown tenant', 'malformed tenant'];
  const hasOtherIds = idsOf(route).some((id) => id !== ':tenantId');
  return [
    'no token',
    ...(namesTenant(route) ? tenants : (['a token'] as const)),
    ...(hasOtherIds ? (['malformed id'] as const) : []),
  ];
}

/** The expected decision: authentication comes first, then tenant, permission and other ids. */
function decide(route: Route, role: Role, situation: Situation): Decision {
  switch (route.access) {
    case 'public':
    case 'signed-state':
      return 'let in';
    // A bearer token does not replace a signature or the cron secret.
    case 'signed-webhook':
    case 'cron-secret':
      return 'UNAUTHORIZED';
    case 'any-token':
      return situation === 'no token' ? 'UNAUTHORIZED' : 'let in';
    // The handler tells the roles apart, with FORBIDDEN.
    case 'active-user':
      if (situation === 'no token') return 'UNAUTHORIZED';
      if (/(unknown|malformed) tenant/.test(situation)) return 'TENANT_NOT_FOUND';
      return situation === 'malformed id' ? 'NOT_FOUND' : 'let in';
    default: {
      if (situation === 'no token') return 'UNAUTHORIZED';
      const isPermitted = holds(role, route.access);
      const ofTenant = decideOfTenant(route, role, situation);
      if (route.path.startsWith('/admin/')) {
        if (!isPermitted) return 'INSUFFICIENT_ROLE';
        if (ofTenant === 'TENANT_NOT_FOUND') return ofTenant;
      } else {
        if (ofTenant !== 'let in') return ofTenant;
        if (!isPermitted) return 'INSUFFICIENT_ROLE';
      }
      return situation === 'malformed id' ? 'NOT_FOUND' : 'let in';
    }
  }
}

function decideOfTenant(route: Route, role: Role, situation: Situation): Decision {
  if (!namesTenant(route)) return 'let in';
  if (situation === 'unknown tenant' || situation === 'malformed tenant') return 'TENANT_NOT_FOUND';
  if (route.anyTenant === true) return 'let in';
  // An administrator belongs to no tenant.
  return situation === 'other tenant' || role === 'admin' ? 'TENANT_FORBIDDEN' : 'let in';
}
const tokens = new Map<Role, string>();
const app = await useApp();
const own = await aTenant(app.db);
const other = await aTenant(app.db);
for (const role of ROLES) tokens.set(role, await tokenOf({ role }));

/** Returns a token of a person who belongs to the tenant, as far as the role can. */
async function tokenOf(person: TestPerson): Promise<string> {
  const isStaff = person.role === 'client' || person.role === 'pos_operator';
  const { token, userId } = await app.signIn({ ...person, ...(isStaff && { member: own }) });
  if (person.role === 'consumer') await aWallet(app.db, { userId, tenantId: own });
  return token;
}

function addressOf(route: Route, situation: Situation): string {
  const tenant = {
    'other tenant': other,
    'unknown tenant': randomUUID(),
    'malformed tenant': 'not-an-id',
  };
  const tenantId = situation in tenant ? Reflect.get(tenant, situation) : own;
  return pathOf(route)
    .replace(':tenantId', tenantId)
    .replace(/:\w+/g, () => (situation === 'malformed id' ? 'not-an-id' : randomUUID()));
}

function ask(route: Route, situation: Situation, token: string | undefined): Promise<Answer> {
  const body = route.method === 'GET' ? undefined : (bodyOf(route, { tenantId: own }) ?? {});
  return app.call({
    method: route.method,
    path: addressOf(route, situation),
    ...(token !== undefined && { token }),
    ...(body !== undefined && { body }),
  });
}

function codeOf({ status, body }: Answer): string | undefined {
  return status < 400 ? undefined : ErrorEnvelope.parse(body).code;
}

/** Whether the OpenAPI document lists the response. */
function isDocumented(route: Route, answer: Answer): boolean {
  const code = codeOf(answer);
  const others = Object.keys(route.otherStatuses ?? {}).map(Number);
  if (code === undefined) return [route.status ?? 200, 302, ...others].includes(answer.status);
  const codes: readonly string[] = documentedErrors(route).get(answer.status) ?? [];
  return codes.includes(code);
}

const everyRoute = routes.map((route) => [`${route.method} ${pathOf(route)}`, route] as const);
const everyRouteAndRole = everyRoute.flatMap(([name, route]) =>
  ROLES.map((role) => [name, role, route] as const),
);

describe('every route and every role', () => {
  it.each(everyRouteAndRole)('%s: decides for a %s as documented', async (_, role, route) => {
    for (const situation of situationsOf(route)) {
      const token = situation === 'no token' ? undefined : tokens.get(role);
      const answer = await ask(route, situation, token);
      const decision = decide(route, role, situation);
      const seen = { status: answer.status, code: codeOf(answer) };
      if (decision === 'let in') expect(AUTHORIZATION_CODES, situation).not.toContain(seen.code);
      else expect(seen, situation).toEqual({ status: STATUS[decision], code: decision });
      expect(isDocumented(route, answer), `${situation}: ${JSON.stringify(seen)}`).toBe(true);
    }
  });

  it.each(everyRoute)('%s: is open to at least one role', (_, route) => {
    if (route.access === 'signed-webhook' || route.access === 'cron-secret') return;
    const decisions = ROLES.flatMap((role) =>
      situationsOf(route).map((situation) => decide(route, role, situation)),
    );
    expect(decisions).toContain('let in');
  });
});

const standings: readonly (readonly [string, TestPerson])[] = [
  ...ROLES.flatMap((role) =>
    (['suspended', 'pending_approval'] as const).map(
      (status) => [`${role} who is ${status}`, { role, status }] as const,
    ),
  ),
  ['admin outside the domain', { role: 'admin', email: 'boss@elsewhere.example' }],
];

describe('a user who may not use the service', () => {
  it.each(standings)('401 UNAUTHORIZED everywhere but on /auth/me: %s', async (_, person) => {
    const token = await tokenOf(person);
    for (const [name, route] of everyRoute) {
      const answer = await ask(route, namesTenant(route) ? 'own tenant' : 'a token', token);
      const isOpen = ['public', 'signed-state', 'any-token'].includes(route.access);
      if (isOpen) expect(AUTHORIZATION_CODES, name).not.toContain(codeOf(answer));
      else expect([answer.status, codeOf(answer)], name).toEqual([401, 'UNAUTHORIZED']);
      if (route.access === 'any-token') expect(pathOf(route)).toMatch(/^.api.v1.auth.me/);
    }
  });
});
