import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import type { ObjectName } from '../../domain/ids.ts';
import type { ObjectStore, StoredObject } from './store.ts';

const TIMEOUT_MS = 10_000;
/** Few, because a person waits for the response. */
const RETRIES = 2;
/** A name is used only once, so that its object never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';

type Bucket = {
  bucket: string;
  /** The origin of the service; the bucket is the first segment of the path. */
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** Stores objects in a bucket of S3 or of a compatible service. */
export function createS3Store(options: Bucket): ObjectStore {
  const { bucket, endpoint, region, accessKeyId, secretAccessKey } = options;
  const origin = endpoint.replace(/\/+$/, '');
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
    retries: RETRIES,
  });

  const send = async (method: string, name: ObjectName, object?: StoredObject) => {
    const bytes = Uint8Array.from(object?.bytes ?? []);
    const response = await client.fetch(`${origin}/${bucket}/${name}`, {
      method,
      headers: {
        // Signed, so that the bytes cannot be replaced in transit.
        'X-Amz-Content-Sha256': createHash('sha256').update(bytes).digest('hex'),
        ...(object && { 'Content-Type': object.contentType, 'Cache-Control': FOR_EVER }),
      },
      ...(object && { body: bytes }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok || response.status === 404) return response;
    await response.body?.cancel();
    throw new Error(`The object store answered ${response.status} to ${method} in ${bucket}.`);
  };

  return {
    async put(name, object) {
      const response = await send('PUT', name, object);
      await response.body?.cancel();
      if (!response.ok) throw new Error(`The object store has no bucket ${bucket}.`);
    },
    async delete(name) {
      const response = await send('DELETE', name);
      await response.body?.cancel();
    },
    async get(name) {
      const response = await send('GET', name);
      if (response.ok) return Buffer.from(await response.arrayBuffer());
      await response.body?.cancel();
      return undefined;
    },
  };
}
