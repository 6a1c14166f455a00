import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { preferredEncoding, serveFile } from '../../../api/docs/static-file.ts';

const content = Buffer.from('the same words '.repeat(1_000));

describe('preferredEncoding', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['GZIP;Q=1.0', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['br;q=much', undefined],
    [';;,,;q', undefined],
  ])('of "%s" is %s', (accepted, expected) => {
    expect(preferredEncoding(accepted)).toBe(expected);
  });
});

describe('serveFile', () => {
  const ask = (bytes: Buffer, accepted?: string) =>
    serveFile(
      'text/plain',
      bytes,
    )({
      headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
    });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('sends %s to a caller who accepts it, which is smaller', async (encoding, open) => {
    const { body, headers } = await ask(content, encoding);
    expect(open(body)).toEqual(content);
    expect(body.length).toBeLessThan(content.length / 10);
    expect(headers).toMatchObject({
      'Content-Encoding': encoding,
      Vary: 'Origin, Accept-Encoding',
    });
  });

  it('sends the bytes themselves to other callers, and where it is not worth it', async () => {
    for (const answer of [await ask(content), await ask(Buffer.from('short'), 'br')]) {
      expect(answer.headers).not.toHaveProperty('Content-Encoding');
      expect(answer.headers.Vary).toBe('Origin, Accept-Encoding');
    }
    expect((await ask(content)).body).toBe(content);
  });

  it('compresses once for each encoding, and gives each a tag of its own', async () => {
    const serve = serveFile('text/plain', content);
    const br = { headers: { 'accept-encoding': 'br' } };
    const [first, second] = await Promise.all([serve(br), serve(br)]);
    expect(second.body).toBe(first.body);
    const tags = [await serve(br), await serve({ headers: {} })].map(({ headers }) => headers.ETag);
    expect(new Set(tags).size).toBe(2);
  });
});
