import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Makes the secret of an endpoint, in the form of the Standard Webhooks specification. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** What a message is signed with, and when it is sent. */
type Signing = { id: string; sentAt: Date; secrets: readonly string[] };

/**
 * Returns the headers that identify and sign a message by the Standard Webhooks specification, with
 * a signature for each secret.
 */
export function signedHeaders(body: string, { id, sentAt, secrets }: Signing) {
  const timestamp = String(Math.floor(sentAt.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    return `v1,${signature.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
