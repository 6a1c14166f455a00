import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Stage } from './stage.ts';

export type Issuer = {
  /** What the API is told of it. */
  env: Record<string, string>;
  /** An access token of the person with that number. */
  tokenOf(person: number): Promise<string>;
};

const ALGORITHM = 'ES256';
const LIFETIME_SECONDS = 3600;

/** An identity provider of its own: it publishes a key, and signs tokens as real ones do. */
export async function startIssuer(stage: Stage): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), alg: ALGORITHM, kid: 'bench' }];
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stage.atEnd(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The issuer has no port.');

  return {
    env: { OIDC_JWKS_URL: `http://127.0.0.1:${address.port}/jwks` },
    tokenOf: (person) =>
      new SignJWT({ email: `person${person}@example.com`, email_verified: true })
        .setProtectedHeader({ alg: ALGORITHM, kid: 'bench' })
        .setIssuer('http://issuer.example')
        .setAudience('bench')
        .setSubject(String(person))
        .setIssuedAt()
        .setExpirationTime(`${LIFETIME_SECONDS} s`)
        .sign(privateKey),
  };
}
