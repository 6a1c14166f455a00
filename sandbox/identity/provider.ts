import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';
import type { Configuration } from 'oidc-provider';
import { InvalidTarget } from 'oidc-provider/lib/helpers/errors.js';
import { base, Prompt } from 'oidc-provider/lib/helpers/interaction_policy/index.js';
import { Provider } from 'oidc-provider/lib/provider.js';
import { html, sendPage } from '../html.ts';
import { listenOnLoopback } from '../processes/listen.ts';
import type { SigningKey } from '../state.ts';
import { type Directory, openDirectory } from './directory.ts';
import { createIdentityPages } from './pages.ts';
import type { People } from './people.ts';
import { CLIENT_ID } from './sign-in.ts';
import { createIdentityStore } from './store.ts';

// A resource has to be a URI, which the service's audience need not be.
const RESOURCE = 'urn:sandbox:loyalty-api';
const SCOPES = 'openid profile email phone offline_access';
const TOKEN_SECONDS = 3600;
const CODE_SECONDS = 60;
const SESSION_SECONDS = 24 * 3600;

type Options = {
  port: number;
  signingKey: SigningKey;
  people: People;
  audience: string;
  /** Keeps the people who are added across restarts; in memory only when absent. */
  addedPeopleFile?: string;
};

/** A running provider; `issuer` is its address and the `iss` of its tokens. */
export type IdentityProvider = {
  issuer: string;
  url: string;
  people: Directory;
  stop(): Promise<void>;
};

/**
 * Starts an OIDC provider on 127.0.0.1 where a button signs in as one of the people, and others can
 * be added. Any app on this machine is its public client, wherever it wants to be redirected to.
 *
 * Its access tokens are ES256 JWTs for the audience, expire after an hour and carry the person's
 * claims. With the same key and port old tokens stay valid across a restart.
 */
export async function startIdentityProvider(options: Options): Promise<IdentityProvider> {
  const directory = openDirectory(options.people, options.addedPeopleFile);
  const listener = await listenOnLoopback(options.port);
  const issuer = listener.url;
  const provider = new Provider(issuer, configuration(issuer, options, directory));
  provider.Client.prototype.redirectUriAllowed = isAppOnThisMachine;
  provider.Client.prototype.postLogoutRedirectUriAllowed = isAppOnThisMachine;
  const pages = createIdentityPages({ provider, issuer, directory });
  listener.answerWith(pages.callback());
  return { issuer, url: listener.url, people: directory, stop: listener.stop };
}

function configuration(issuer: string, options: Options, { bySub }: Directory): Configuration {
  const policy = base();
  policy.remove('consent');
  // Whoever asks for consent, as they must for a refresh token, has it: see showPeople.
  policy.add(new Prompt({ name: 'consent', requestable: true }));

  return {
    adapter: createIdentityStore(),
    jwks: { keys: [options.signingKey] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    clients: [sandboxClient(issuer)],
    clientBasedCORS: (_ctx, origin) => isOnThisMachine(origin),
    // A refresh token can be used once. If it is used again, what it gave is revoked as well.
    rotateRefreshToken: true,
    claims: {
      openid: ['sub'],
      profile: ['name'],
      email: ['email', 'email_verified'],
      phone: ['phone_number', 'phone_number_verified'],
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource: askForSignOut },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, _client, oneOf) => oneOf ?? RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => resourceServer(resource, options.audience),
      },
    },
    interactions: { policy, url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_ctx, sub) => {
      const person = bySub(sub);
      return person && { accountId: person.sub, claims: async () => ({ ...person }) };
    },
    extraTokenClaims: (_ctx, token) => {
      const person = 'accountId' in token ? bySub(token.accountId) : undefined;
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

/** Shows the form, which the library has made, with the button that signs out. */
function askForSignOut(ctx: Context, form: string): void {
  const button = html`<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`;
  sendPage(ctx, 'Sign out of the sandbox', html`${{ markup: form }}${button}`);
}

function sandboxClient(issuer: string) {
  return {
    client_id: CLIENT_ID,
    application_type: 'native' as const,
    token_endpoint_auth_method: 'none' as const,
    grant_types: ['authorization_code' as const, 'refresh_token' as const],
    response_types: ['code' as const],
    id_token_signed_response_alg: 'ES256' as const,
    // Any other address of this machine is allowed as well.
    redirect_uris: [`${issuer}/signed-in`],
  };
}

function resourceServer(resource: string, audience: string) {
  if (resource !== RESOURCE && resource !== audience) throw new InvalidTarget();
  return {
    scope: '',
    audience,
    accessTokenFormat: 'jwt' as const,
    accessTokenTTL: TOKEN_SECONDS,
    jwt: { sign: { alg: 'ES256' as const } },
  };
}

function isAppOnThisMachine(url: string): boolean {
  if (!isOnThisMachine(url)) return false;
  const { hash, username, password } = new URL(url);
  return `${hash}${username}${password}` === '' && !url.includes('#');
}

function isOnThisMachine(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}
