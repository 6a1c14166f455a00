import { fileURLToPath } from 'node:url';
import { createFileStore } from './file-store.ts';
import { createS3Store } from './s3-store.ts';
import type { ObjectStore } from './store.ts';

export type ObjectStoreSettings = {
  /** `file:///dir`, or `s3://bucket?endpoint=…&region=…`. */
  url: string;
  accessKeyId?: string | undefined;
  secretAccessKey?: string | undefined;
  /** How long a bucket is waited for, retries included. */
  timeoutMs?: number;
};

/** Creates the store for a URL. Throws when the URL or the credentials are incomplete. */
export function createObjectStore(settings: ObjectStoreSettings): ObjectStore {
  const url = new URL(settings.url);
  if (url.protocol === 'file:') return createFileStore(fileURLToPath(url));

  const { accessKeyId, secretAccessKey } = settings;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new Error(
      'OBJECT_STORE_URL names a bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY too.',
    );
  }
  if (url.hostname === '')
    throw new Error('OBJECT_STORE_URL names no bucket: s3://bucket?region=…');
  const region = url.searchParams.get('region') ?? 'us-east-1';
  const endpoint = url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  const keys = { accessKeyId, secretAccessKey };
  const { timeoutMs } = settings;
  return createS3Store({ bucket: url.hostname, endpoint, region, ...keys }, timeoutMs);
}
