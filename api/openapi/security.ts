import type { oas31 } from 'zod-openapi';
import { holds, ROLES, type Role } from '../../domain/roles.ts';
import type { Route } from '../http/route.ts';

/** The address of the identity provider's own description, to which the service redirects. */
export const DISCOVERY_PATH = '/.well-known/openid-configuration';

/** How a caller may prove who they are. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token issued by the identity provider.',
  },
  openIdConnect: {
    type: 'openIdConnect',
    openIdConnectUrl: DISCOVERY_PATH,
    description:
      'Sign in at the identity provider: authorization code with PKCE. The access token is then ' +
      'sent as a bearer token.',
  },
  cronSecret: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Cron-Secret',
    description: 'The secret that the service and the scheduler share.',
  },
  alphaSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Alpha-HMACSHA256-Signature',
    description: 'HMAC-SHA256 of the address followed by the body, in base64 or hex.',
  },
  betaSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Beta-Auth',
    description: 'The secret that beta and the service share.',
  },
} as const satisfies Record<string, oas31.SecuritySchemeObject>;

/** What callers of most routes send: one of the list. */
export const USUAL_SECURITY = oneOf('bearer', 'openIdConnect');

function oneOf(...names: (keyof typeof securitySchemes)[]): oas31.SecurityRequirementObject[] {
  return names.map((name) => ({ [name]: [] }));
}

/** Returns what a caller of the route has to send: one of the list, or nothing for an empty one. */
export function securityOf({ access, path }: Route): oas31.SecurityRequirementObject[] {
  switch (access) {
    case 'public':
    case 'signed-state':
      return [];
    case 'cron-secret':
      return oneOf('cronSecret');
    case 'signed-webhook':
      return oneOf(path.endsWith('/alpha') ? 'alphaSignature' : 'betaSignature');
    default:
      return USUAL_SECURITY;
  }
}

/** Returns the roles that may call a route, and undefined where no role decides. */
export function rolesOf({ access, roles }: Route): readonly Role[] | undefined {
  switch (access) {
    case 'public':
    case 'signed-state':
    case 'signed-webhook':
    case 'cron-secret':
      return undefined;
    case 'any-token':
    case 'active-user':
      return roles ?? ROLES;
    default:
      return ROLES.filter((role) => holds(role, access));
  }
}

/** Says in a sentence who may call a route. */
export function callersOf(route: Route): string {
  const roles = rolesOf(route)?.map((role) => `\`${role}\``);
  switch (route.access) {
    case 'public':
      return 'Needs no sign-in.';
    case 'signed-state':
      return 'Needs the signed `state` with which the merchant was sent away.';
    case 'signed-webhook':
      return 'Needs the provider’s signature.';
    case 'cron-secret':
      return 'Needs the secret of the scheduler.';
    case 'any-token':
      return 'For all who are signed in.';
    case 'active-user':
      return `Roles: ${roles?.join(', ')}.`;
    default:
      return `Roles: ${roles?.join(', ')} (permission \`${route.access}\`).`;
  }
}
