import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { showObject } from '../../../api/routes/objects.ts';
import { ObjectName } from '../../../domain/ids.ts';
import { createObjectStore } from '../../../gateways/objects/create-store.ts';
import { type Served, serveRoutes } from '../../support/http/serve-routes.ts';

const name = ObjectName.parse(`${'0123456789abcdef'.repeat(2)}.webp`);
let dir: string;
let served: Served;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'loyalty-objects-'));
  await mkdir(join(dir, 'objects'));
  await writeFile(join(dir, name), 'outside');
  await writeFile(join(dir, 'objects', 'note.webp'), 'not an object');
  const objects = createObjectStore({ url: pathToFileURL(join(dir, 'objects')).href });
  await objects.put(name, { bytes: Buffer.from('<script>1</script>'), contentType: 'image/webp' });
  served = await serveRoutes([showObject], { objects });
});
afterAll(async () => {
  await served.close();
  await rm(dir, { recursive: true, force: true });
});

/** Requests a path exactly as it is written; fetch would normalise it and disable caching. */
function ask(path: string, headers = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    get(served.url, { path, headers }, async (response) => {
      resolve({ status: response.statusCode ?? 0, text: await text(response) });
    }).on('error', reject);
  });
}

describe('GET /objects/:name', () => {
  it('200 with the bytes, a fixed type, security headers and permanent caching', async () => {
    const response = await fetch(`${served.url}/objects/${name}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('<script>1</script>');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${name}"`,
    });
  });

  it('304 for a caller who has it already', async () => {
    const known = { 'if-none-match': `"${name}"` };
    expect(await ask(`/objects/${name}`, known)).toEqual({ status: 304, text: '' });
  });

  it.each([
    `/objects/${'f'.repeat(32)}.webp`,
    '/objects/note.webp',
    `/objects/../${name}`,
    `/objects/..%2f${name}`,
    `/objects/%2e%2e%2f${name}`,
    `/objects/..%5c${name}`,
    `/objects/${name}%00`,
    `/objects/${name}/`,
    `/objects/${name.replace('.webp', '.svg')}`,
    '/objects/',
    '/objects/.',
  ])('404 NOT_FOUND without caching: %s', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'NOT_FOUND' });
    const response = await fetch(`${served.url}/objects/${'f'.repeat(32)}.webp`);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('503 with Retry-After while the object store is away', async () => {
    const url = 's3://logos?endpoint=http://127.0.0.1:9';
    const objects = createObjectStore({ url, accessKeyId: 'key', secretAccessKey: 'secret' });
    const away = await serveRoutes([showObject], { objects });
    try {
      const response = await fetch(`${away.url}/objects/${name}`);
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toMatchObject({ message: expect.stringMatching(/store/) });
      expect(away.reported).toEqual([]);
    } finally {
      await away.close();
    }
  });
});
