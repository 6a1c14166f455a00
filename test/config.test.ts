import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { ConfigSchema, loadConfig, loadOwnerUrl, loadWorkerConfig } from '../config.ts';
import { PROVIDERS } from '../domain/payment.ts';
import { providers } from '../gateways/providers/index.ts';
import { linesOf, load, problemsOf, requiredEnv } from './support/required-env.ts';
import { runMain } from './support/run-main.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const names = Object.keys(ConfigSchema.shape);
const required = Object.keys(requiredEnv());

describe('.env.example', () => {
  const lines = readFileSync(join(ROOT, '.env.example'), 'utf8').split('\n');
  const settings = lines.flatMap((line, index) => {
    const [, name, value] = /^([A-Z0-9_]+)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, value, above: lines[index - 1] ?? '' }];
  });

  it('lists exactly the settings of the schema', () => {
    expect(settings.map(({ name }) => name).sort()).toEqual([...names].sort());
  });

  it.each(PROVIDERS)('has the section of %s, which is in its folder', (provider) => {
    const path = join(ROOT, `gateways/providers/${provider}/.env.example`);
    const section = readFileSync(path, 'utf8');
    expect(lines.join('\n')).toContain(`\n\n${section}\n`);
    const { settings: both, webhook } = providers[provider];
    const own = { ...both.shape, ...webhook.settings.shape };
    expect(section.match(/^[A-Z0-9_]+(?==)/gm)).toEqual(Object.keys(own));
  });

  it('explains every setting in the line above it, and marks the required ones', () => {
    const unexplained = settings.filter(({ above }) => !/^# \S.*[^,]$/.test(above));
    expect(unexplained).toEqual([]);
    const marked = settings.filter(({ above }) => above.startsWith('# Required.'));
    expect(marked.map(({ name }) => name).sort()).toEqual([...required].sort());
  });

  it('shows every default: loaded unchanged, only the required settings are missing', () => {
    const shown = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
    expect(problemsOf(() => loadConfig(shown)).map((line) => line.trim())).toEqual(
      names
        .filter((name) => required.includes(name))
        .map((name) => `${name} is required and not set`),
    );
    expect(loadConfig({ ...shown, ...requiredEnv() })).toEqual(loadConfig(requiredEnv()));
    const defaults = loadConfig(requiredEnv());
    const hidden = settings.filter(
      // One that follows from another setting is in words.
      ({ name, value, above }) =>
        value === '' &&
        !required.includes(name) &&
        !above.includes(' Empty: ') &&
        !isNothing(Reflect.get(defaults, name)),
    );
    expect(hidden).toEqual([]);
  });

  const isNothing = (value: unknown) =>
    value === undefined || (Array.isArray(value) && value.length === 0);
});

describe('loadConfig', () => {
  it('defaults for every setting that is not required', () => {
    expect(load()).toMatchObject({
      PORT: 3000,
      HOST: '0.0.0.0',
      CORS_ALLOWED_ORIGINS: ['https://app.shop.example'],
      DATABASE_POOL_MAX: 10,
      temporal: { namespace: 'loyalty', connection: { address: 'localhost:7233', tls: false } },
      ALPHA_ENVIRONMENT: 'sandbox',
      ALPHA_WEBHOOK_SIGNATURE_KEY: [],
      BETA_REGION: 'na',
      EXPIRED_CODES: 'refund',
      PAYMENT_REFUNDS: 'reverse',
      SWEEP_INTERVAL_SECONDS: 60,
      RATE_LIMIT_READS: 120,
      RATE_LIMIT_WEBHOOKS: 6000,
      NODE_ENV: 'development',
    });
  });

  it('all problems at once: three settings missing and one malformed', () => {
    const changes = { FRONTEND_URL: undefined, SMTP_URL: '', MAIL_FROM: undefined, PORT: 'http' };
    const problems = problemsOf(() => load(changes));
    expect(problems).toHaveLength(4);
    expect(problems).toContain('  FRONTEND_URL is required and not set');
    expect(problems).toContain('  SMTP_URL is required and not set');
    expect(problems).toContain('  MAIL_FROM is required and not set');
    expect(problems).toContainEqual(expect.stringMatching(/^ {2}PORT \S/));
  });

  it('no malformed secret in the message', () => {
    const text = problemsOf(() => load({ ENCRYPTION_KEY: 'hunter2', CRON_SECRET: 'short' })).join();
    expect(text).toContain('ENCRYPTION_KEY must be 64 hex characters');
    expect(text).toContain('CRON_SECRET must have at least 16 characters');
    expect(text).not.toMatch(/hunter2|short/);
  });

  it.each([
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['DATABASE_POOL_MAX', '0'],
    ['TEMPORAL_TLS', 'yes'],
    ['DATABASE_URL', 'mysql://h/d'],
    ['SMTP_URL', 'https://h'],
    ['API_BASE_URL', 'shop.example'],
    ['API_BASE_URL', 'ftp://shop.example'],
    ['SMTP_URL', 'smtp:mail.shop.example:587'],
    ['MAIL_FROM', 'Shop Points <points>'],
    ['ADMIN_EMAIL_DOMAIN', '@staff.example'],
    ['OBJECT_STORE_URL', '/var/logos'],
    ['OBJECT_STORE_URL', 'file://var/logos'],
    ['BETA_REGION', 'asia'],
    ['LOG_LEVEL', 'loud'],
    ['RATE_LIMIT_READS', '-1'],
    ['SWEEP_INTERVAL_SECONDS', '0'],
    ['EXPIRED_CODES', 'keep'],
    ['CORS_ALLOWED_ORIGINS', '*'],
    ['CORS_ALLOWED_ORIGINS', 'https://a.example/'],
    ['CORS_ALLOWED_ORIGINS', 'https://a.example,null'],
    ['ALPHA_ENVIRONMENT', 'live'],
  ])('a problem for %s=%s', (name, value) => {
    expect(problemsOf(() => load({ [name]: value }))).toEqual([
      expect.stringMatching(new RegExp(`^  ${name} \\S`)),
    ]);
  });

  it('Temporal’s key from a file, and none that would be sent without TLS', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-key-'));
    const path = join(folder, 'key');
    writeFileSync(path, 'hunter2\n');
    const env = { TEMPORAL_API_KEY_FILE: path, TEMPORAL_ADDRESS: 't.test:1' };
    const connection = { address: 't.test:1', tls: true, apiKey: 'hunter2' };
    expect(load(env).temporal).toMatchObject({ namespace: 'loyalty', connection });
    const problems = problemsOf(() => load({ ...env, TEMPORAL_TLS: 'false', PORT: 'http' }));
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^ {2}TEMPORAL_API_KEY is refused while TEMPORAL_TLS is false/);
    rmSync(folder, { recursive: true });
  });

  it.each(['', ' ', '\t'])('the same as absent for the blank value %j', (blank) => {
    expect(load({ RATE_LIMIT_READS: blank, HOST: blank, SENTRY_DSN: blank })).toEqual(load());
    expect(problemsOf(() => load({ MAIL_FROM: blank }))).toEqual([
      '  MAIL_FROM is required and not set',
    ]);
  });

  it('an origin without its trailing slash, and with its path', () => {
    expect(load({ API_BASE_URL: 'https://api.example/' }).API_BASE_URL).toBe('https://api.example');
    expect(load({ API_BASE_URL: 'https://shop.example/loyalty/' }).API_BASE_URL).toBe(
      'https://shop.example/loyalty',
    );
  });

  it('the items of comma-separated lists, without spaces and empty items', () => {
    expect(
      load({
        CORS_ALLOWED_ORIGINS: 'https://a.example, http://localhost:5173,,',
        BOOTSTRAP_ADMIN_EMAILS: ' Ada@Staff.example ,bob@staff.example',
        ALPHA_WEBHOOK_SIGNATURE_KEY: 'old key,new/+key==',
        CRON_SECRET: 'sixteen letters!,another sixteen.',
      }),
    ).toMatchObject({
      CORS_ALLOWED_ORIGINS: ['https://a.example', 'http://localhost:5173'],
      BOOTSTRAP_ADMIN_EMAILS: ['ada@staff.example', 'bob@staff.example'],
      ALPHA_WEBHOOK_SIGNATURE_KEY: ['old key', 'new/+key=='],
      CRON_SECRET: ['sixteen letters!', 'another sixteen.'],
    });
  });

  it.each([
    { env: 'ALPHA_ENVIRONMENT', name: 'ALPHA_ORIGIN' },
    { env: 'BETA_ENVIRONMENT', name: 'BETA_WEB_ORIGIN' },
    { env: 'BETA_ENVIRONMENT', name: 'BETA_API_ORIGIN' },
  ])('a problem for $name in production, and none in the sandbox', ({ env: environment, name }) => {
    const override = { [name]: 'http://127.0.0.1:4000' };
    expect(problemsOf(() => load({ ...override, [environment]: 'production' }))).toEqual([
      `  ${name} is refused while ${environment} is production: remove it`,
    ]);
    expect(load({ ...override, [environment]: 'sandbox' })).toMatchObject(override);
  });

  it('pages of FRONTEND_URL may call unless others are named', () => {
    const origins = (settings: Record<string, string>) => load(settings).CORS_ALLOWED_ORIGINS;
    expect(origins({ FRONTEND_URL: 'https://app.example/shop/' })).toEqual(['https://app.example']);
    expect(origins({ CORS_ALLOWED_ORIGINS: 'https://b.example' })).toEqual(['https://b.example']);
  });

  it('the word loopback is an origin, and a problem in either production', () => {
    const origins = { CORS_ALLOWED_ORIGINS: 'https://a.example, loopback' };
    expect(load(origins).CORS_ALLOWED_ORIGINS).toEqual(['https://a.example', 'loopback']);
    for (const name of ['ALPHA_ENVIRONMENT', 'BETA_ENVIRONMENT']) {
      expect(problemsOf(() => load({ ...origins, [name]: 'production' }))).toEqual([
        `  CORS_ALLOWED_ORIGINS must not contain loopback while ${name} is production`,
      ]);
    }
  });
});

describe('ENCRYPTION_KEY', () => {
  const one = '00112233445566778899aabbccddeeff'.repeat(2);
  const two = 'F1E2D3C4B5A69788796A5B4C3D2E1F00'.repeat(2);

  it('is one key with the id k1, or several keys with their own ids', () => {
    expect(load({ ENCRYPTION_KEY: one }).ENCRYPTION_KEY).toEqual([
      { id: 'k1', key: Uint8Array.from(Buffer.from(one, 'hex')) },
    ]);
    const ring = load({ ENCRYPTION_KEY: `k2:${two}, k1:${one}` }).ENCRYPTION_KEY;
    expect(ring.map(({ id }) => id)).toEqual(['k2', 'k1']);
    expect(ring[0]?.key[0]).toBe(0xf1);
  });

  it.each([
    { value: one.slice(1), because: 'it is a digit short' },
    { value: `${one}0`, because: 'it is a digit too long' },
    { value: `g${one.slice(1)}`, because: 'it is not hex' },
    { value: `k1:${one},k1:${two}`, because: 'the ids are the same' },
    { value: `k1:${one},`, because: 'an item is empty' },
    { value: `a.b:${one}`, because: 'the id would break the format of a sealed value' },
    { value: `${one},${two}`, because: 'two keys need ids' },
    { value: '0'.repeat(64), because: 'all bytes are the same' },
    { value: '0123456789abcdef'.repeat(4), because: 'a few bytes repeat' },
    { value: `k2:${'0'.repeat(64)},k1:${one}`, because: 'the key that seals is weak' },
  ])('is refused when $because', ({ value }) => {
    expect(problemsOf(() => load({ ENCRYPTION_KEY: value }))).toHaveLength(1);
  });
});

it('a weak ENCRYPTION_KEY that is going out still opens', () => {
  const ring = `k2:${'00112233445566778899aabbccddeeff'.repeat(2)},k1:${'0'.repeat(64)}`;
  expect(load({ ENCRYPTION_KEY: ring }).ENCRYPTION_KEY).toHaveLength(2);
});

describe('a setting that undoes a protection is refused', () => {
  const claims = names.filter((name) => name.startsWith('OIDC_') && name.endsWith('_CLAIM'));

  it('a claim that users write themselves, in all five places', () => {
    expect(claims).toHaveLength(5);
    for (const path of [
      'user_metadata.x',
      'raw_user_meta_data.x',
      'user_metadata',
      'a.user_metadata.x',
    ]) {
      const changes = Object.fromEntries(claims.map((name) => [name, path]));
      expect(problemsOf(() => load(changes))).toEqual(
        claims.map((name) =>
          expect.stringMatching(new RegExp(`^  ${name} names what users write`)),
        ),
      );
    }
    const others = Object.fromEntries(claims.map((name) => [name, 'app_metadata.user_metadata_x']));
    expect(problemsOf(() => load(others))).toEqual([]);
  });

  it.each(['OIDC_ISSUER', 'OIDC_JWKS_URL'])('%s on http, but for this machine', (name) => {
    for (const url of ['http://id.example', 'http://10.0.0.1', 'http://127.0.0.1.id.example']) {
      expect(problemsOf(() => load({ [name]: url }))).toEqual([
        `  ${name} must be an https address; http is for this machine only`,
      ]);
    }
    const safe = ['https://id.example', 'http://127.0.0.1:8080/realms/a', 'http://localhost:1'];
    for (const url of [...safe, 'http://[::1]:8080', 'http://id.localhost']) {
      expect(problemsOf(() => load({ [name]: url }))).toEqual([]);
    }
  });

  it.each(['aaaaaaaaaaaaaaaa', '0101010101010101', 'good one, really good,aaaaaaaaaaaaaaaa'])(
    'CRON_SECRET=%s',
    (secret) => expect(problemsOf(() => load({ CRON_SECRET: secret }))).toHaveLength(1),
  );
});

describe('the key of statements in production', () => {
  const production = { NODE_ENV: 'production' };
  const key = '00112233445566778899aabbccddeeff'.repeat(2);

  it('is of the worker alone, which insists on one', () => {
    const worker = (changes: Record<string, string>) =>
      loadWorkerConfig({ ...requiredEnv(), ...changes });
    expect(problemsOf(() => worker(production))).toEqual([
      expect.stringMatching(/^ {2}STATEMENT_SIGNING_KEY is required while NODE_ENV is production/),
    ]);
    expect(worker({ ...production, STATEMENT_SIGNING_KEY: key })).toBeDefined();
    expect(worker({})).toBeDefined();
  });

  it('is not read by the API, which insists on its public half', () => {
    const given = { ...production, STATEMENT_SIGNING_KEY: key };
    expect(problemsOf(() => load(given))).toEqual([
      expect.stringMatching(/^ {2}STATEMENT_PUBLIC_KEYS is required while NODE_ENV is production/),
    ]);
    const config = load({ ...given, STATEMENT_PUBLIC_KEYS: key });
    expect(config).not.toHaveProperty('STATEMENT_SIGNING_KEY');
  });
});

it('mail of a domain for examples is refused in production', () => {
  const production = { NODE_ENV: 'production', STATEMENT_PUBLIC_KEYS: 'ab'.repeat(32) };
  for (const from of ['loyalty@example.com', 'Shop <points@mail.example.org>']) {
    expect(problemsOf(() => load({ ...production, MAIL_FROM: from }))).toEqual([
      expect.stringMatching(/^ {2}MAIL_FROM is of a domain for examples/),
    ]);
    expect(problemsOf(() => load({ MAIL_FROM: from }))).toEqual([]);
  }
  expect(problemsOf(() => load({ ...production, MAIL_FROM: 'points@myexample.com' }))).toEqual([]);
});

describe('settings that need others are named with all the rest', () => {
  it('a bucket without keys', () => {
    const lines = problemsOf(() => load({ OBJECT_STORE_URL: 's3://logos', PORT: 'http' }));
    expect(lines).toEqual([
      expect.stringMatching(/^ {2}PORT /),
      '  AWS_ACCESS_KEY_ID is required while OBJECT_STORE_URL names a bucket',
      '  AWS_SECRET_ACCESS_KEY is required while OBJECT_STORE_URL names a bucket',
    ]);
  });

  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  it.each([
    ['s3:///nothing', 1],
    ['s3://logos?endpoint=minio:9000', 1],
    ['s3://logos?endpoint=http://minio:9000&region=eu-central-1', 0],
  ])('%s: %i problems', (url, count) => {
    expect(problemsOf(() => load({ ...keys, OBJECT_STORE_URL: url }))).toHaveLength(count);
  });

  const admin = { IDENTITY_ADMIN_URL: 'https://id.example/x', IDENTITY_ADMIN_TOKEN: 'a:b' };
  const organization = 'https://id.example/admin/realms/shop/organizations/1';
  it.each([
    ['gotrue', {}, ['IDENTITY_ADMIN_URL', 'IDENTITY_ADMIN_TOKEN']],
    ['keycloak', {}, ['IDENTITY_ADMIN_URL', 'IDENTITY_ADMIN_TOKEN']],
    ['keycloak', admin, ['IDENTITY_ADMIN_URL']],
    ['keycloak', { ...admin, IDENTITY_ADMIN_URL: organization }, []],
    ['gotrue', admin, []],
    ['mail', {}, []],
  ])('the directory %s with %o', (kind, given, named) => {
    const lines = problemsOf(() => load({ IDENTITY_DIRECTORY: kind, ...given }));
    expect(lines.map((line) => line.trim().split(' ')[0])).toEqual(named);
  });
});

describe('loadOwnerUrl', () => {
  const DATABASE_URL = 'postgres://service@db.example/loyalty';
  const DATABASE_OWNER_URL = 'postgres://owner@db.example/loyalty';

  it('the login of the owner, else of the service, without any other setting', () => {
    expect(loadOwnerUrl({ DATABASE_URL, DATABASE_OWNER_URL })).toBe(DATABASE_OWNER_URL);
    expect(loadOwnerUrl({ DATABASE_URL })).toBe(DATABASE_URL);
  });

  it('every problem of the two settings', () => {
    const wrong = { DATABASE_OWNER_URL: 'owner', DATABASE_URL: '' };
    expect(problemsOf(() => loadOwnerUrl(wrong))).toHaveLength(2);
  });
});

describe.each([
  { main: 'api/main.ts', problems: 4, status: 1 },
  { main: 'worker/main.ts', problems: 4, status: 1 },
  { main: 'db/migrate-main.ts', problems: 1, status: 2 },
  { main: 'ops/verify.ts', problems: 1, status: 2 },
])('the process of $main', ({ main, problems, status }) => {
  let ended: { status: unknown; stdout: string; stderr: string };
  beforeAll(async () => {
    const { MAIL_FROM, SMTP_URL, DATABASE_URL, ...rest } = requiredEnv();
    ended = await runMain(main, { ...rest, PORT: 'http' }).ended;
  });

  it(`exits with status ${status} and prints every problem to stderr`, () => {
    expect(ended.status).toBe(status);
    expect(ended.stdout).toBe('');
    expect(linesOf(ended.stderr)).toHaveLength(problems);
    expect(ended.stderr).toContain('DATABASE_URL is required and not set');
    expect(ended.stderr).not.toContain('    at ');
  });
});

describe.each([
  { main: 'db/migrate-main.ts', says: 'The schema was not migrated: ' },
  { main: 'ops/verify.ts', says: 'The ledger could not be verified: ' },
])('the process of $main', ({ main, says }) => {
  it.each(['127.0.0.1', 'localhost'])(
    'exits with status 2 and one line when nothing listens at %s',
    async (host) => {
      const DATABASE_URL = `postgres://ada:secret@${host}:9/none`;
      const ended = await runMain(main, { DATABASE_URL }).ended;
      expect(ended).toMatchObject({ status: 2, stdout: '' });
      expect(ended.stderr).toMatch(/^[^\n]+ECONNREFUSED[^\n]+\n$/);
      expect(ended.stderr.startsWith(says)).toBe(true);
      expect(ended.stderr).not.toContain('secret');
    },
  );
});
