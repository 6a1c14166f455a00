import type { oas31 } from 'zod-openapi';
import { PROVIDERS, type Provider } from '../../domain/payment.ts';
import { webhookPath } from '../../domain/provider-paths.ts';
import { holds, ROLES, type Role } from '../../domain/roles.ts';
import { providers } from '../../gateways/providers/index.ts';
import type { Route } from '../http/route.ts';

/** The address of the identity provider's own description, to which the service redirects. */
export const DISCOVERY_PATH = '/.well-known/openid-configuration';

/** How a caller may prove who they are. */
export const securitySchemes: Record<string, oas31.SecuritySchemeObject> = {
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
  ...Object.fromEntries(PROVIDERS.map((name) => [signatureOf(name), schemeOf(name)])),
};

function signatureOf(provider: Provider): string {
  return `${provider}Signature`;
}

function schemeOf(provider: Provider): oas31.SecuritySchemeObject {
  const { header, description } = providers[provider].webhook.security;
  return { type: 'apiKey', in: 'header', name: header, description };
}

/** What callers of most routes send: one of the list. */
export const USUAL_SECURITY = oneOf('bearer', 'openIdConnect');

function oneOf(...names: string[]): oas31.SecurityRequirementObject[] {
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
      return oneOf(...PROVIDERS.filter((name) => path === webhookPath(name)).map(signatureOf));
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
