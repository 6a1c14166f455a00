import { afterAll, describe, expect, it } from 'vitest';
import { ProviderError } from '../../../../gateways/providers/shared/error.ts';
import { callProvider } from '../../../../gateways/providers/shared/request.ts';
import { startHttpServer } from '../../../support/http/http-server.ts';

let headers: Record<string, string> = {};
const server = await startHttpServer(({ path }) =>
  path === '/hangs'
    ? 'hangs'
    : path === '/long'
      ? { status: 200, body: JSON.stringify('x'.repeat(16 * 1024 * 1024)) }
      : { status: 429, body: {}, headers },
);
afterAll(() => server.close());

const call = (path: string, signal?: AbortSignal): Promise<unknown> =>
  callProvider({ provider: 'alpha', url: new URL(path, server.url), signal }).catch(
    (error: unknown) => error,
  );
const waitFor = async (retryAfter: string | undefined) => {
  headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  const error = await call('/');
  if (!(error instanceof ProviderError)) throw new Error('Expected a ProviderError.');
  return error.retryAfterMs;
};
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

describe('Retry-After', () => {
  it.each([
    ['7', 7_000],
    [' 90 ', 90_000],
    ['900', 900_000],
    ['901', 900_000],
    ['99999999999999999999', 900_000],
  ])('of %j seconds, at most a quarter of an hour', async (header, expected) => {
    expect(await waitFor(header)).toBe(expected);
  });

  it('of a date, at most a quarter of an hour', async () => {
    const waitMs = await waitFor(inSeconds(120));
    expect(waitMs).toBeGreaterThan(110_000);
    expect(waitMs).toBeLessThanOrEqual(120_000);
    expect(await waitFor(inSeconds(7_200))).toBe(900_000);
  });

  it.each([
    undefined,
    '',
    '0',
    '-5',
    '1e3',
    '0x10',
    'Infinity',
    'soon',
    '2030-01-01',
    'Mon, 99 Foo 2030',
    'Sun, 06 Nov 1994 08:49:37 GMT',
  ])('of %j asks for no wait', async (header) => {
    expect(await waitFor(header)).toBeUndefined();
  });
});

describe('a signal', () => {
  it('ends a call that hangs', async () => {
    const error = await call('/hangs', AbortSignal.timeout(50));
    expect(error).toMatchObject({ status: null, isTransient: true });
  });
});

describe('what a provider sends', () => {
  it('a response of more than 16 MiB is given up', async () => {
    const error = await call('/long');
    expect(error).toMatchObject({ message: 'alpha did not answer with JSON.', status: null });
  });
});
