import { describe, expect, it } from 'vitest';
import {
  contradictions as allContradictions,
  claimPath,
  cronSecrets,
  isLoopback,
  keyRing,
  origins,
  secureUrl,
} from '../../domain/safe-settings.ts';
import { settingNames } from '../../gateways/providers/index.ts';

const problemsOf = (schema: typeof secureUrl | typeof claimPath | typeof keyRing, value: string) =>
  (schema.safeParse(value).error?.issues ?? []).map(({ message }) => message);

describe('isLoopback', () => {
  it.each([
    { host: '127.0.0.1', is: true },
    { host: '127.255.10.3', is: true },
    { host: '[::1]', is: true },
    { host: 'localhost', is: true },
    { host: 'app.localhost', is: true },
    { host: '127.0.0', is: false },
    { host: '127.0.0.1.example', is: false },
    { host: 'x127.0.0.1', is: false },
    { host: '127.a.0.1', is: false },
    { host: '128.0.0.1', is: false },
    { host: 'a.b.localhost', is: false },
    { host: '.localhost', is: false },
    { host: 'localhost.example', is: false },
    { host: 'notlocalhost', is: false },
    { host: '[::12]', is: false },
  ])('$host: $is', ({ host, is }) => {
    expect(isLoopback(host)).toBe(is);
  });
});

describe('origins', () => {
  it.each([
    { items: [] },
    { items: ['loopback'] },
    { items: ['https://shop.example', 'loopback', 'http://127.0.0.1:5173'] },
  ])('takes $items', ({ items }) => {
    expect(origins.parse(items)).toEqual(items);
  });

  it.each([
    { items: ['*'] },
    { items: ['shop.example'] },
    { items: ['https://shop.example/'] },
    { items: ['https://shop.example/pay'] },
    { items: ['https://shop.example', 'https://*.example/'] },
    { items: ['loopback', ''] },
  ])('refuses $items', ({ items }) => {
    expect(origins.safeParse(items).error?.issues.map(({ message }) => message)).toEqual([
      'must be a comma-separated list of origins such as https://shop.example, without path or *',
    ]);
  });
});

describe('secureUrl', () => {
  it.each([
    'https://id.example/realm',
    'http://127.0.0.1:8080/x',
    'http://localhost',
    'https://[::1]',
  ])('takes %s', (url) => {
    expect(secureUrl.parse(url)).toBe(url);
  });

  it('refuses http beyond this machine, and says why', () => {
    const message = 'must be an https address; http is for this machine only';
    expect(problemsOf(secureUrl, 'http://id.example')).toEqual([message]);
    expect(problemsOf(secureUrl, 'id.example')).toContain(message);
  });

  it.each([
    'ftp://127.0.0.1',
    'wss://id.example',
    'xhttp://127.0.0.1',
    'httpx://127.0.0.1',
    'httpsx://a',
    'id.example',
    '',
  ])('refuses %s', (url) => {
    expect(secureUrl.safeParse(url).success).toBe(false);
  });
});

describe('claimPath', () => {
  it.each(['email', 'app_metadata.role', 'x_user_metadata', 'user_metadata_copy.role'])(
    'takes %s',
    (path) => {
      expect(claimPath.parse(path)).toBe(path);
    },
  );

  it('removes the space around it, and refuses what is then empty', () => {
    expect(claimPath.parse(' email ')).toBe('email');
    expect(claimPath.safeParse('  ').success).toBe(false);
  });

  it.each(['user_metadata.role', 'a.user_metadata', 'raw_user_meta_data.role', 'user_metadata'])(
    'refuses %s, which users write themselves',
    (path) => {
      expect(problemsOf(claimPath, path)).toEqual([
        expect.stringMatching(/^names what users write themselves: have .* claim of its own$/),
      ]);
    },
  );
});

describe('cronSecrets', () => {
  const problems = (items: string[]) =>
    (cronSecrets.safeParse(items).error?.issues ?? []).map(({ message }) => message);

  it.each([{ items: ['abcdefghijklmnop'] }, { items: ['abcde'.repeat(4), 'x1y2z3'.repeat(3)] }])(
    'takes $items',
    ({ items }) => {
      expect(cronSecrets.parse(items)).toEqual(items);
    },
  );

  it.each([
    { items: [], because: 'there must be one' },
    { items: ['abcdefghijklmno'], because: '15 characters are too few' },
    { items: ['abcdefghijklmnop', 'short'], because: 'each must be long' },
  ])('refuses $items: $because', ({ items }) => {
    expect(problems(items)).toContain(
      'must have at least 16 characters (a comma-separated list is accepted during rotation)',
    );
  });

  it.each([{ items: ['abcdabcdabcdabcd'] }, { items: ['abcdefghijklmnop', 'a'.repeat(40)] }])(
    'refuses repetitions: $items',
    ({ items }) => {
      expect(problems(items)).toEqual(['must not repeat a few characters']);
    },
  );
});

describe('keyRing', () => {
  /** 32 bytes of which `distinct` differ. */
  const hexOf = (distinct: number) =>
    Buffer.from(Array.from({ length: 32 }, (_, at) => at % distinct)).toString('hex');
  const strong = hexOf(16);
  const weak = hexOf(15);

  it('takes a single key as k1', () => {
    expect(keyRing.parse(strong)).toEqual([
      { id: 'k1', key: Uint8Array.from(Buffer.from(strong, 'hex')) },
    ]);
  });

  it('takes a list in its order, with space around its items', () => {
    const ring = keyRing.parse(` new-2:${strong.toUpperCase()} , ${'k'.repeat(32)}:${strong}`);
    expect(ring.map(({ id }) => id)).toEqual(['new-2', 'k'.repeat(32)]);
  });

  it('takes a weak key that only opens what it once sealed', () => {
    expect(keyRing.parse(`k2:${strong},k1:${weak}`)).toHaveLength(2);
  });

  it.each([{ value: weak }, { value: `k2:${weak},k1:${strong}` }])(
    'refuses a weak key that seals: $value',
    ({ value }) => {
      expect(problemsOf(keyRing, value)).toEqual([
        'must be random: make it with openssl rand -hex 32',
      ]);
    },
  );

  it.each([
    { value: '', because: 'there is none' },
    { value: strong.slice(1), because: 'it is too short' },
    { value: `${strong}0`, because: 'it is too long' },
    { value: `k1:${strong}0`, because: 'it is too long' },
    { value: `x k1:${strong}`, because: 'the id has a space' },
    { value: `:${strong}`, because: 'the id is empty' },
    { value: `${'k'.repeat(33)}:${strong}`, because: 'the id is too long' },
    { value: `k1:${strong},k1:${hexOf(32)}`, because: 'two have one id' },
    { value: `k1:${strong},`, because: 'the last item is empty' },
    { value: `k1:${'g'.repeat(64)}`, because: 'it is not hex' },
  ])('refuses $value: $because', ({ value }) => {
    expect(problemsOf(keyRing, value)).toEqual([
      'must be 64 hex characters, or a comma-separated list of kid:hex with distinct kids',
    ]);
  });
});

const contradictions = (settings: Record<string, string>) =>
  allContradictions(settings, settingNames());

describe('contradictions', () => {
  it('are none in an empty configuration', () => {
    expect(contradictions({})).toEqual([]);
  });

  it.each([
    { name: 'ALPHA_ORIGIN', environment: 'ALPHA_ENVIRONMENT' },
    { name: 'BETA_WEB_ORIGIN', environment: 'BETA_ENVIRONMENT' },
    { name: 'BETA_API_ORIGIN', environment: 'BETA_ENVIRONMENT' },
  ])('$name is for the sandbox of its provider only', ({ name, environment }) => {
    const origin = { [name]: 'http://127.0.0.1:1' };
    expect(contradictions({ ...origin, [environment]: 'sandbox' })).toEqual([]);
    expect(contradictions({ [environment]: 'production' })).toEqual([]);
    expect(contradictions({ ...origin, [environment]: 'production' })).toEqual([
      `${name} is refused while ${environment} is production: remove it`,
    ]);
  });

  it.each([
    { app: 'ALPHA_APP_ID', name: 'ALPHA_ENVIRONMENT' },
    { app: 'BETA_APP_ID', name: 'BETA_ENVIRONMENT' },
  ])('$name is required in production once $app is set', ({ app, name }) => {
    const used = { NODE_ENV: 'production', [app]: 'app' };
    expect(contradictions(used)).toEqual([
      `${name} is required while NODE_ENV is production and ${app} is set: ` +
        'production for real merchants, or sandbox',
    ]);
    expect(contradictions({ ...used, [name]: 'sandbox' })).toEqual([]);
    expect(contradictions({ NODE_ENV: 'production' })).toEqual([]);
    expect(contradictions({ [app]: 'app' })).toEqual([]);
  });

  it.each(['ALPHA_ENVIRONMENT', 'BETA_ENVIRONMENT'])('%s asks for https', (environment) => {
    const baseUrl = (address: string, of = 'production') =>
      contradictions({ API_BASE_URL: address, [environment]: of });
    const what = 'API_BASE_URL must be https, without a path,';
    const message = `${what} while ${environment} is production`;
    expect(baseUrl('http://api.example')).toEqual([message]);
    expect(baseUrl('https://shop.example/loyalty')).toEqual([message]);
    expect(baseUrl('https://api.example')).toEqual([]);
    expect(baseUrl('http://api.example', 'sandbox')).toEqual([]);
    expect(baseUrl('nonsense')).toEqual([]);
  });

  it.each(['ALPHA_ENVIRONMENT', 'BETA_ENVIRONMENT'])('loopback is refused by %s', (environment) => {
    const what = 'CORS_ALLOWED_ORIGINS must not contain loopback';
    const message = `${what} while ${environment} is production`;
    const production = { [environment]: 'production' };
    const origins = 'https://a.example , loopback';
    expect(contradictions({ ...production, CORS_ALLOWED_ORIGINS: origins })).toEqual([message]);
    expect(contradictions({ CORS_ALLOWED_ORIGINS: origins })).toEqual([]);
    expect(contradictions({ ...production, CORS_ALLOWED_ORIGINS: 'https://loopback' })).toEqual([]);
  });

  it.each([
    { address: 'file:///srv/objects', problems: [] },
    {
      address: 's3:',
      problems: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'OBJECT_STORE_URL'],
    },
    { address: 's3://bucket', problems: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] },
  ])('a bucket needs keys: $address', ({ address, problems }) => {
    const found = contradictions({ OBJECT_STORE_URL: address });
    expect(found.map((line) => line.split(' ')[0])).toEqual(problems);
  });

  it.each([
    { query: '', problems: [] },
    { query: '?endpoint=http://127.0.0.1:9000', problems: [] },
    { query: '?endpoint=https://s3.example', problems: [] },
    { query: '?endpoint=s3.example', problems: ['endpoint that is no http or https address'] },
    { query: '?endpoint=ftp://s3.example', problems: ['endpoint that is no http'] },
    { query: '?endpoint=https://', problems: ['endpoint that is no http'] },
    { query: '?endpoint=xhttps://s3.example', problems: ['endpoint that is no http'] },
  ])('a bucket with its keys: $query', ({ query, problems }) => {
    const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' };
    const found = contradictions({ ...keys, OBJECT_STORE_URL: `s3://bucket${query}` });
    expect(found).toEqual(problems.map((problem) => expect.stringContaining(problem)));
  });

  it('says what a bucket lacks', () => {
    expect(contradictions({ OBJECT_STORE_URL: 's3://' })).toEqual([
      'AWS_ACCESS_KEY_ID is required while OBJECT_STORE_URL names a bucket',
      'AWS_SECRET_ACCESS_KEY is required while OBJECT_STORE_URL names a bucket',
      'OBJECT_STORE_URL names no bucket: s3://bucket?region=…',
    ]);
  });

  it.each(['gotrue', 'keycloak'])('the directory %s needs an address and a token', (kind) => {
    const set = { IDENTITY_DIRECTORY: kind };
    expect(contradictions(set)).toEqual([
      `IDENTITY_ADMIN_URL is required while IDENTITY_DIRECTORY is ${kind}`,
      `IDENTITY_ADMIN_TOKEN is required while IDENTITY_DIRECTORY is ${kind}`,
    ]);
    expect(contradictions({ IDENTITY_DIRECTORY: 'mail' })).toEqual([]);
  });

  it.each([
    { address: 'https://id.example/admin/realms/r/organizations/o', isRight: true },
    { address: 'https://id.example/admin/realms/realm/organizations/org-1/', isRight: true },
    { address: 'https://id.example/admin/realms/r', isRight: false },
    { address: 'https://id.example/admin/realms/r/organizations/', isRight: false },
    { address: 'https://id.example/admin/realms/r/organizations/o/members', isRight: false },
    { address: 'https://id.example/admin/realms/a/b/organizations/o', isRight: false },
  ])('keycloak needs an organization: $address', ({ address, isRight }) => {
    const settings = { IDENTITY_ADMIN_URL: address, IDENTITY_ADMIN_TOKEN: 't' };
    const message =
      'IDENTITY_ADMIN_URL must name an organization: …/admin/realms/{realm}/organizations/{id}';
    const found = contradictions({ ...settings, IDENTITY_DIRECTORY: 'keycloak' });
    expect(found).toEqual(isRight ? [] : [message]);
    expect(contradictions({ ...settings, IDENTITY_DIRECTORY: 'gotrue' })).toEqual([]);
  });
});
