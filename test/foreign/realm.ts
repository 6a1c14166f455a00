import { z } from 'zod';
import { askToken, type Keycloak } from './keycloak.ts';

// What docs/identity.md says has to be set up in Keycloak, done by its admin API.

export const AUDIENCE = 'loyalty-api';
const PASSWORD = 'the password of a person';
const SERVICE = { clientId: 'loyalty-service', secret: 'the secret of the service' };

export type Tokens = { access_token: string; id_token: string; refresh_token: string };
export type Realm = {
  /** What the service is given. */
  env: Record<string, string>;
  issuer: string;
  addPerson(name: string, options?: { email?: string; role?: string }): Promise<void>;
  signIn(name: string): Promise<Tokens>;
  /** Signs from now on with a new key of this kind; returns its id, to remove it. */
  addKey(algorithm: string): Promise<string>;
  removeKey(id: string): Promise<void>;
  /** Whether tokens are for our audience. */
  setAudience(isOurs: boolean): Promise<void>;
};

const Answer = z.object({
  access_token: z.string(),
  id_token: z.string(),
  refresh_token: z.string(),
});

const audienceMapper = {
  name: 'audience',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: { 'included.custom.audience': AUDIENCE, 'access.token.claim': 'true' },
};

const app = {
  clientId: 'app',
  publicClient: true,
  directAccessGrantsEnabled: true,
  redirectUris: ['http://127.0.0.1/*'],
};

/** Sets up a realm with an application, a client for the service, and an organisation. */
export async function createRealm(
  keycloak: Keycloak,
  options: { smtpPort: number; frontendUrl: string },
): Promise<Realm> {
  const { admin } = keycloak;
  const issuer = `${keycloak.url}/realms/shop`;
  await admin('POST', '', {
    realm: 'shop',
    enabled: true,
    registrationAllowed: true,
    verifyEmail: true,
    organizationsEnabled: true,
    smtpServer: { host: '127.0.0.1', port: String(options.smtpPort), from: 'id@shop.example' },
    roles: { realm: [{ name: 'client' }] },
    clients: [
      { ...app, protocolMappers: [audienceMapper] },
      { ...SERVICE, serviceAccountsEnabled: true, standardFlowEnabled: false },
    ],
    users: [
      {
        username: 'service-account-loyalty-service',
        enabled: true,
        serviceAccountClientId: SERVICE.clientId,
        clientRoles: { 'realm-management': ['view-users', 'manage-organizations'] },
      },
    ],
  });
  const organization = await admin('POST', '/shop/organizations', {
    name: 'Shop',
    alias: 'shop',
    redirectUrl: options.frontendUrl,
    domains: [{ name: 'invited.example' }],
  });
  return {
    issuer,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_AUDIENCE: AUDIENCE,
      OIDC_CLIENT_INTENT_CLAIM: 'realm_access.roles',
      IDENTITY_DIRECTORY: 'keycloak',
      IDENTITY_ADMIN_URL: `${keycloak.url}/admin/realms/shop/organizations/${organization.id}`,
      IDENTITY_ADMIN_TOKEN: `${SERVICE.clientId}:${SERVICE.secret}`,
    },
    addPerson: (name, person) => addPerson(keycloak, name, person),
    async signIn(username) {
      const grant = { grant_type: 'password', client_id: 'app', scope: 'openid email' };
      return Answer.parse(await askToken(issuer, { ...grant, username, password: PASSWORD }));
    },
    addKey: (algorithm) => addKey(keycloak, algorithm),
    async removeKey(id) {
      await admin('DELETE', `/shop/components/${id}`);
    },
    async setAudience(isOurs) {
      const id = await appId(keycloak);
      const [mapper] = MapperList.parse(
        (await admin('GET', `/shop/clients/${id}/protocol-mappers/models`)).body,
      ).filter(({ name }) => name === 'audience');
      if (isOurs === (mapper !== undefined)) return;
      const models = `/shop/clients/${id}/protocol-mappers/models`;
      if (mapper === undefined) await admin('POST', models, audienceMapper);
      else await admin('DELETE', `${models}/${mapper.id}`);
    },
  };
}

const MapperList = z.array(z.object({ id: z.string(), name: z.string() }));

async function addPerson(
  { admin }: Keycloak,
  name: string,
  { email = `${name}@shop.example`, role }: { email?: string; role?: string } = {},
): Promise<void> {
  const { id } = await admin('POST', '/shop/users', {
    username: name,
    email,
    emailVerified: true,
    firstName: name,
    lastName: 'Example',
    enabled: true,
    credentials: [{ type: 'password', value: PASSWORD }],
  });
  if (role === undefined) return;
  const { body } = await admin('GET', `/shop/roles/${role}`);
  await admin('POST', `/shop/users/${id}/role-mappings/realm`, [body]);
}

const KEY_KINDS: Record<string, { providerId: string; config: Record<string, string[]> }> = {
  RS256: { providerId: 'rsa-generated', config: { algorithm: ['RS256'] } },
  PS256: { providerId: 'rsa-generated', config: { algorithm: ['PS256'] } },
  RS384: { providerId: 'rsa-generated', config: { algorithm: ['RS384'] } },
  ES256: { providerId: 'ecdsa-generated', config: { ecdsaEllipticCurveKey: ['P-256'] } },
  EdDSA: { providerId: 'eddsa-generated', config: { eddsaEllipticCurveKey: ['Ed25519'] } },
};
let priority = 1_000;

async function addKey(keycloak: Keycloak, algorithm: string): Promise<string> {
  const { admin } = keycloak;
  const kind = KEY_KINDS[algorithm];
  if (kind === undefined) throw new Error(`no key kind ${algorithm}`);
  priority += 1;
  const { id } = await admin('POST', '/shop/components', {
    name: `${algorithm}-${priority}`,
    providerId: kind.providerId,
    providerType: 'org.keycloak.keys.KeyProvider',
    config: { ...kind.config, priority: [String(priority)], enabled: ['true'], active: ['true'] },
  });
  const appUrl = `/shop/clients/${await appId(keycloak)}`;
  const { body } = await admin('GET', appUrl);
  const client = z.looseObject({ attributes: z.record(z.string(), z.unknown()) }).parse(body);
  const attributes = { ...client.attributes, 'access.token.signed.response.alg': algorithm };
  await admin('PUT', appUrl, { ...client, attributes });
  return id;
}

async function appId({ admin }: Keycloak): Promise<string> {
  const { body } = await admin('GET', '/shop/clients?clientId=app');
  return z.tuple([z.object({ id: z.string() })]).parse(body)[0].id;
}
