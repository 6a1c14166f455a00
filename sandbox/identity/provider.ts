import { randomBytes } from 'node:crypto';
import Provider, { type Configuration, errors, interactionPolicy } from 'oidc-provider';
import { html, sendPage } from '../html.ts';
import { listenOnLoopback } from '../processes/listen.ts';
import type { SigningKey } from '../state.ts';
import { createIdentityPages } from './pages.ts';
import type { People, Person } from './people.ts';
import { CLIENT_ID } from './sign-in.ts';
import { createIdentityStore } from './store.ts';

// A resource has to be a URI, which the service's audience need not be.
const RESOURCE = 'urn:sandbox:loyalty-api';
const SCOPES = 'openid profile email phone offline_access';
const TOKEN_SECONDS = 3600;
const CODE_SECONDS = 60;
const SESSION_SECONDS = 24 * 3600;

type Options = { port: number; signingKey: SigningKey; people: People; audience: string };

/** A running provider; `issuer` is its address and the `iss` of its tokens. */
export type IdentityProvider = { issuer: string; url: string; stop(): Promise<void> };

/**
 * Starts an OIDC provider on 127.0.0.1 where a button signs in as one of the people.
 *
 * Its access tokens are ES256 JWTs for the audience, expire after an hour and carry the person's
 * claims. With the same key and port old tokens stay valid across a restart.
 */
export async function startIdentityProvider(options: Options): Promise<IdentityProvider> {
  const listener = await listenOnLoopback(options.port);
  const issuer = listener.url;
  const provider = new Provider(issuer, configuration(issuer, options));
  const pages = createIdentityPages({ provider, issuer, people: options.people });
  listener.answerWith(pages.callback());
  return { issuer, url: listener.url, stop: listener.stop };
}

function configuration(issuer: string, options: Options): Configuration {
  const find = (sub: string | undefined) => findPerson(options.people, sub);
  const policy = interactionPolicy.base();
  policy.remove('consent');
  // Whoever asks for consent, as they must for a refresh token, has it: see showPeople.
  policy.add(new interactionPolicy.Prompt({ name: 'consent', requestable: true }));

  return {
    adapter: createIdentityStore(),
    jwks: { keys: [options.signingKey] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    clients: [sandboxClient(issuer)],
    clientBasedCORS: (_ctx, origin) => isLoopback(origin),
    claims: {
      openid: ['sub'],
      profile: ['name'],
      email: ['email', 'email_verified'],
      phone: ['phone_number', 'phone_number_verified'],
    },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf ?? RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => resourceServer(resource, options.audience),
      },
    },
    interactions: { policy, url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_ctx, sub) => {
      const person = find(sub);
      return person && { accountId: person.sub, claims: async () => ({ ...person }) };
    },
    extraTokenClaims: (_ctx, token) => {
      const person = 'accountId' in token ? find(token.accountId) : undefined;
      return person && { ...person };
    },
    loadExistingGrant: async (ctx) => {
      const { session, client, provider } = ctx.oidc;
      if (session?.accountId === undefined || client === undefined) return undefined;
      const grant = new provider.Grant({
        accountId: session.accountId,
        clientId: client.clientId,
      });
      grant.addOIDCScope(SCOPES);
      await grant.save();
      return grant;
    },
    renderError: (ctx, out) =>
      sendPage(ctx, 'Sign-in refused', html`<p>${out.error}: ${out.error_description}</p>`),
    ttl: {
      AccessToken: TOKEN_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      Grant: SESSION_SECONDS,
      IdToken: TOKEN_SECONDS,
      Interaction: TOKEN_SECONDS,
      RefreshToken: SESSION_SECONDS,
      Session: SESSION_SECONDS,
    },
  };
}

function sandboxClient(issuer: string) {
  return {
    client_id: CLIENT_ID,
    application_type: 'native' as const,
    token_endpoint_auth_method: 'none' as const,
    grant_types: ['authorization_code' as const, 'refresh_token' as const],
    response_types: ['code' as const],
    id_token_signed_response_alg: 'ES256' as const,
    // A native client may use any port of a registered loopback address.
    redirect_uris: [
      `${issuer}/signed-in`,
      'http://127.0.0.1/callback',
      'http://localhost/callback',
      'http://127.0.0.1/docs/signed-in',
      'http://localhost/docs/signed-in',
    ],
    post_logout_redirect_uris: [
      'http://127.0.0.1/',
      'http://localhost/',
      'http://127.0.0.1/callback',
      'http://localhost/callback',
    ],
  };
}

function resourceServer(resource: string, audience: string) {
  if (resource !== RESOURCE && resource !== audience) throw new errors.InvalidTarget();
  return {
    scope: '',
    audience,
    accessTokenFormat: 'jwt' as const,
    accessTokenTTL: TOKEN_SECONDS,
    jwt: { sign: { alg: 'ES256' as const } },
  };
}

function findPerson(people: People, sub: string | undefined): Person | undefined {
  return Object.values(people).find((person) => person.sub === sub);
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && ['127.0.0.1', 'localhost'].includes(new URL(origin).hostname);
}
