import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ObjectName } from '../../../domain/ids.ts';
import { createObjectStore } from '../../../gateways/objects/create-store.ts';
import { type ObjectStore, ObjectStoreUnavailable } from '../../../gateways/objects/store.ts';
import { type FakeS3, startS3 } from '../../support/http/s3.ts';

const BUCKET = 'logos.of-the-tests';
let dir: string;
let s3: FakeS3;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'loyalty-objects-'));
  s3 = await startS3(BUCKET);
});
afterAll(async () => {
  await s3.close();
  await rm(dir, { recursive: true, force: true });
});

const someName = () => ObjectName.parse(`${randomBytes(16).toString('hex')}.webp`);
const object = (text: string) => ({ bytes: Buffer.from(text), contentType: 'image/webp' });
const fileStore = (at = dir) => createObjectStore({ url: pathToFileURL(at).href });

type Overrides = {
  bucket?: string;
  region?: string;
  accessKeyId?: string;
  secretAccessKey?: string;
};

function s3Store(overrides: Overrides = {}): ObjectStore {
  const { bucket, region, ...credentials } = { bucket: BUCKET, ...s3.credentials, ...overrides };
  const query = new URLSearchParams({ endpoint: s3.endpoint, region });
  return createObjectStore({ url: `s3://${bucket}?${query}`, ...credentials });
}

describe.each([
  ['file', () => fileStore()],
  ['s3', () => s3Store()],
])('%s', (_, create) => {
  let store: ObjectStore;
  beforeEach(() => {
    store = create();
  });

  it('returns the bytes of an object, or undefined if it does not exist', async () => {
    const name = someName();
    expect(await store.get(name)).toBeUndefined();
    const bytes = randomBytes(100_000);
    await store.put(name, { bytes, contentType: 'image/webp' });
    expect((await store.get(name))?.equals(bytes)).toBe(true);
  });

  it('deletes an object, also if it does not exist', async () => {
    const name = someName();
    await store.put(name, object('one'));
    await store.delete(name);
    expect(await store.get(name)).toBeUndefined();
    await store.delete(name);
  });

  it('replaces an object, also concurrently', async () => {
    const name = someName();
    await store.put(name, object('one'));
    await Promise.all(Array.from({ length: 10 }, () => store.put(name, object('two'))));
    expect((await store.get(name))?.toString()).toBe('two');
  });
});

describe('file', () => {
  it('creates its directory and leaves only complete files in it', async () => {
    const deep = join(dir, 'not', 'there');
    const name = someName();
    await fileStore(deep).put(name, object('one'));
    expect(await readdir(deep)).toEqual([name]);
  });

  it('rejects when it cannot write or read', async () => {
    const blocked = join(dir, 'a-file');
    await writeFile(blocked, '');
    await expect(fileStore(blocked).put(someName(), object('one'))).rejects.toThrow();
    await expect(fileStore(blocked).get(someName())).rejects.toThrow(/ENOTDIR/);
  });
});

describe('s3', () => {
  it('signs every request with its content as AWS requires, and sends the type', async () => {
    const name = someName();
    const store = s3Store();
    await store.put(name, object('one'));
    expect(s3.objects.get(`/${BUCKET}/${name}`)).toEqual(object('one'));
    await store.get(name);
    await store.delete(name);
    expect(s3.refused).toEqual([]);
    expect(s3.objects.has(`/${BUCKET}/${name}`)).toBe(false);
  });

  it.each([
    ['SignatureDoesNotMatch', { secretAccessKey: 'another secret' }],
    ['InvalidAccessKeyId', { accessKeyId: 'AKIAANOTHER' }],
    ['AuthorizationHeaderMalformed', { region: 'us-east-1' }],
  ])('rejects when the service refuses: %s', async (fault, other) => {
    s3.refused.length = 0;
    const store = s3Store(other);
    await expect(store.put(someName(), object('one'))).rejects.toThrow(/answered 403 to PUT/);
    await expect(store.get(someName())).rejects.toThrow(/answered 403 to GET/);
    await expect(store.delete(someName())).rejects.toThrow(/answered 403 to DELETE/);
    expect(s3.refused).toEqual([fault, fault, fault]);
  });

  it('retries when the service fails, and rejects when it keeps failing', async () => {
    const name = someName();
    s3.outages.push(503, 500);
    await s3Store().put(name, object('one'));
    expect((await s3Store().get(name))?.toString()).toBe('one');

    s3.outages.push(500, 500, 500);
    await expect(s3Store().get(name)).rejects.toThrow(/answered 500 to GET/);
    expect(s3.outages).toEqual([]);
  });

  it('rejects when the bucket does not exist, whatever is asked', async () => {
    const store = s3Store({ bucket: 'another' });
    await expect(store.put(someName(), object('one'))).rejects.toThrow(/no bucket another/);
    await expect(store.get(someName())).rejects.toThrow(/no bucket another/);
    await expect(store.delete(someName())).rejects.toThrow(/no bucket another/);
  });

  it.each([
    ['is down', () => createAt('http://127.0.0.1:9')],
    ['hangs', () => createAt(s3.endpoint)],
    ['refuses the key', () => s3Store({ secretAccessKey: 'another secret' })],
    ['has no bucket', () => s3Store({ bucket: 'another' })],
  ])('rejects as unavailable when the service %s', async (how, create) => {
    s3.hangs = how === 'hangs';
    try {
      const store = create();
      for (const work of [
        () => store.put(someName(), object('one')),
        () => store.get(someName()),
        () => store.delete(someName()),
      ]) {
        await expect(work()).rejects.toBeInstanceOf(ObjectStoreUnavailable);
      }
    } finally {
      s3.hangs = false;
    }
  });

  function createAt(endpoint: string): ObjectStore {
    const url = `s3://${BUCKET}?${new URLSearchParams({ endpoint })}`;
    return createObjectStore({ url, ...s3.credentials, timeoutMs: 200 });
  }

  it('names what is missing from the settings', () => {
    expect(() => createObjectStore({ url: `s3://${BUCKET}` })).toThrow(/AWS_ACCESS_KEY_ID/);
    const keys = { accessKeyId: 'a', secretAccessKey: 'b' };
    expect(() => createObjectStore({ url: 's3:///nothing', ...keys })).toThrow(/names no bucket/);
  });
});
