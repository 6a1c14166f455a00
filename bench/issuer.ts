import { once } from 'node:events';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { emailOf } from './sales.ts';
import { ISSUER } from './settings.ts';
import type { Testbed } from './testbed.ts';

export type Issuer = {
  /** The settings with which the API trusts this issuer. */
  env: Record<string, string>;
  /** Returns an access token for the consumer with this number. */
  tokenFor(consumer: number): Promise<string>;
};

const ALGORITHM = 'ES256';
const LIFETIME_SECONDS = 3600;

/** Starts an identity provider that publishes its key and signs tokens as real providers do. */
export async function startIssuer(testbed: Testbed): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), alg: ALGORITHM, kid: 'bench' }];
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ keys }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  testbed.onClose(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The issuer has no port.');

  return {
    env: { OIDC_JWKS_URL: `http://127.0.0.1:${address.port}/jwks` },
    tokenFor: (consumer) =>
      new SignJWT({ email: emailOf(consumer), email_verified: true })
        .setProtectedHeader({ alg: ALGORITHM, kid: 'bench' })
        .setIssuer(ISSUER)
        .setAudience('bench')
        .setSubject(String(consumer))
        .setIssuedAt()
        .setExpirationTime(`${LIFETIME_SECONDS} s`)
        .sign(privateKey),
  };
}
