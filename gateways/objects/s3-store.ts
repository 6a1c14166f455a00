import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import {
  type ObjectStore,
  ObjectStoreUnavailable,
  type StoredName,
  type StoredObject,
} from './store.ts';

const TIMEOUT_MS = 10_000;
/** Few, because a person waits for the response. */
const RETRIES = 2;
/** A name is used only once, so that its object never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';
/** What is in a folder is for nobody's browser. */
const PRIVATE = 'private, no-store';

type Bucket = {
  bucket: string;
  /** The origin of the service; the bucket is the first segment of the path. */
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** Stores objects in a bucket of S3 or of a compatible service. Throws ObjectStoreUnavailable. */
export function createS3Store(options: Bucket, timeoutMs = TIMEOUT_MS): ObjectStore {
  const { bucket, endpoint, region, accessKeyId, secretAccessKey } = options;
  const origin = endpoint.replace(/\/+$/, '');
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
    retries: RETRIES,
  });

  async function request(method: string, name: StoredName, object?: StoredObject): Promise<Answer> {
    const bytes = Uint8Array.from(object?.bytes ?? []);
    const response = await client.fetch(`${origin}/${bucket}/${name}`, {
      method,
      headers: {
        // Signed, so that the bytes cannot be replaced in transit.
        'X-Amz-Content-Sha256': createHash('sha256').update(bytes).digest('hex'),
        ...(object && {
          'Content-Type': object.contentType,
          // A bucket that locks its objects takes none without it.
          'Content-MD5': createHash('md5').update(bytes).digest('base64'),
          'Cache-Control': name.includes('/') ? PRIVATE : FOR_EVER,
        }),
      },
      ...(object && { body: bytes }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  }

  /** Returns the body of the answer, or undefined when there is no such object. */
  async function send(...asked: Parameters<typeof request>): Promise<Buffer | undefined> {
    const [method] = asked;
    const { status, body } = await request(...asked).catch((cause: unknown) => {
      const text = `The object store did not answer ${method} in ${bucket} in time.`;
      throw new ObjectStoreUnavailable(text, { cause });
    });
    if (status >= 200 && status < 300) return body;
    if (status === 404 && !isBucketMissing(method, body)) return undefined;
    const text = status === 404 ? `has no bucket ${bucket}` : `answered ${status} to ${method}`;
    throw new ObjectStoreUnavailable(`The object store ${text}; bucket ${bucket} at ${origin}.`);
  }

  return {
    async put(name, object) {
      await send('PUT', name, object);
    },
    async delete(name) {
      await send('DELETE', name);
    },
    get: (name) => send('GET', name),
  };
}

type Answer = { status: number; body: Buffer };

/** Missing objects and missing buckets are both 404; an upload needs nothing but the bucket. */
function isBucketMissing(method: string, body: Buffer): boolean {
  return method === 'PUT' || body.includes('<Code>NoSuchBucket</Code>');
}
