import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { IdentitySettings } from '../../../gateways/identity/token-verifier.ts';

const AUDIENCE = 'loyalty-api';
const LIFETIME_SECONDS = 600;

export type Issuer = {
  url: string;
  /** The settings of a verifier of this issuer's tokens. */
  settings: IdentitySettings;
  /** Signs an access token with these claims and header fields. */
  token(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  /** While true, the issuer answers every request with 500. */
  outage: boolean;
  /** While true, the issuer accepts requests and does not answer them. */
  hangs: boolean;
  /** Signs with a new key from now on, and publishes only that one. */
  rotate(kid: string): Promise<void>;
  /** The requested paths, in order. */
  asked: string[];
  close(): Promise<void>;
};

/** Starts an identity provider with one key, its JWKS and its discovery document. */
export async function startIssuer(algorithm = 'ES256'): Promise<Issuer> {
  let key = await makeKey(algorithm, 'key-1');
  const server = createServer((request, response) => {
    issuer.asked.push(request.url ?? '');
    if (issuer.hangs) return;
    const documents: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` },
      '/jwks': { keys: [key.published] },
    };
    const document = documents[request.url ?? ''];
    response.statusCode = issuer.outage ? 500 : document === undefined ? 404 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(issuer.outage ? '' : JSON.stringify(document ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  const url = `http://127.0.0.1:${address.port}`;

  const issuer: Issuer = {
    url,
    settings: settingsFor(url),
    outage: false,
    hangs: false,
    asked: [],
    rotate: async (kid) => {
      key = await makeKey(algorithm, kid);
    },
    token: (claims, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: url, aud: AUDIENCE, iat: now, exp: now + LIFETIME_SECONDS };
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: algorithm, kid: key.published.kid, ...header })
        .sign(key.privateKey);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return issuer;
}

/** The settings of a verifier that trusts an issuer, with the usual names of claims. */
export function settingsFor(issuer: string): IdentitySettings {
  return {
    issuer,
    audience: AUDIENCE,
    emailClaim: 'email',
    emailVerifiedClaim: 'email_verified',
    phoneClaim: 'phone_number',
    phoneVerifiedClaim: 'phone_number_verified',
    clientIntentClaim: 'app_metadata.role',
  };
}

async function makeKey(algorithm: string, kid: string) {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { privateKey, published: { ...(await exportJWK(publicKey)), alg: algorithm, kid } };
}
