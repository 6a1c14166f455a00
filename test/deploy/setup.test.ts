import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requiredEnv } from '../support/required-env.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ANSWERS: Readonly<Record<string, string>> = {
  API_BASE_URL: 'https://api.shop.example',
  FRONTEND_URL: 'https://shop.example',
  OIDC_ISSUER: 'https://id.shop.example/realms/shop',
  OIDC_AUDIENCE: 'loyalty-api',
  APPS_CLIENT_ID: 'apps',
  ADMIN_EMAIL_DOMAIN: 'shop.example',
  BOOTSTRAP_ADMIN_EMAILS: 'ada@shop.example,bob@shop.example',
  SMTP_URL: 'smtps://points%40shop:se%2Bcret@mail.shop.example',
  MAIL_FROM: 'Shop Points <points@shop.example>',
  ALERTS_TO: 'ops@shop.example',
  ACME_EMAIL: 'ops@shop.example',
  BACKUP_URL: 's3://elsewhere/points?region=eu-central-1',
  BACKUP_KEY_ID: 'AKIA1',
  BACKUP_KEY: 'a bucket/key',
  ALPHA_APP_ID: 'sq0idp-1',
  ALPHA_ENVIRONMENT: 'production',
  ALPHA_APP_SECRET: 'a $ecret',
  ALPHA_WEBHOOK_SIGNATURE_KEY: 'a key',
  BETA_APP_ID: '',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loyalty-setup-'));
  cpSync(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true });
  rmSync(join(folder, 'deploy/secrets'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const inFolder = (path: string) => readFileSync(join(folder, path), 'utf8');
const secret = (name: string) => inFolder(`deploy/secrets/${name}`);

function setUp(changes: Record<string, string> = {}) {
  const answers = Object.entries({ ...ANSWERS, ...changes });
  writeFileSync(join(folder, 'answers'), answers.map((each) => `${each.join('=')}\n`).join(''));
  return run(['--answers', join(folder, 'answers')]);
}

function run(args: string[], input = '') {
  const options = { input, encoding: 'utf8' } as const;
  return spawnSync(join(folder, 'deploy/setup'), args, options);
}

describe('deploy/setup', () => {
  it('writes the settings and the secrets of a file of answers', () => {
    expect(setUp()).toMatchObject({ status: 0, stderr: '' });
    const env = inFolder('.env');
    expect(env).toContain("MAIL_FROM='Shop Points <points@shop.example>'\n");
    expect(env).toContain("ALPHA_ENVIRONMENT='production'\n");
    expect(env).toContain("COMPOSE_PROFILES='temporal,apps,tls,backup'\n");
    expect(env).toContain("TLS_ADDRESS='0.0.0.0'\n");
    expect(env).not.toMatch(/cret|a key|AKIA|bucket.key/);
    expect(statSync(join(folder, '.env')).mode & 0o077).toBe(0);
    expect(secret('smtp_url')).toBe(ANSWERS.SMTP_URL);
    expect(secret('alpha_app_secret')).toBe('a $ecret');
    expect(secret('alpha_webhook_signature_key')).toBe('a key');
    expect(secret('backup_key_id')).toBe('AKIA1');
    expect(secret('backup_key')).toBe('a bucket/key');
    expect(secret('encryption_key')).toMatch(/^k1:[0-9a-f]{64}$/);
    expect(secret('beta_app_secret')).toBe('');
  });

  it('gives alerts the parts of the address of the mail server', () => {
    setUp();
    expect(inFolder('.env')).toContain(
      "ALERTS_SMTP_HOST='mail.shop.example:465'\nALERTS_SMTP_USER='points@shop'\n",
    );
    expect(secret('alerts_smtp_password')).toBe('se+cret');
  });

  it('changes nothing that exists: neither .env, nor a secret with a value', () => {
    setUp();
    const [env, key] = [inFolder('.env'), secret('encryption_key')];
    const again = setUp({ OIDC_AUDIENCE: 'another' });
    expect(again.status).toBe(1);
    expect(again.stderr).toContain('.env exists');
    expect(inFolder('.env')).toBe(env);
    rmSync(join(folder, '.env'));
    expect(setUp({ SMTP_URL: 'smtp://other:1' }).stderr).toContain('smtp_url is kept as it is');
    expect([secret('encryption_key'), secret('smtp_url')]).toEqual([key, ANSWERS.SMTP_URL]);
  });

  it.each([
    ['API_BASE_URL', 'http://api.shop.example'],
    ['API_BASE_URL', 'https://api.shop.example/api/v1'],
    ['FRONTEND_URL', 'shop.example'],
    ['OIDC_ISSUER', 'http://id.shop.example'],
    ['OIDC_AUDIENCE', ''],
    ['OIDC_AUDIENCE', "it's"],
    ['BOOTSTRAP_ADMIN_EMAILS', 'ada@elsewhere.example'],
    ['SMTP_URL', 'mail.shop.example'],
    ['SMTP_URL', 'smtps://o%27brien:password@mail.shop.example:465'],
    ['MAIL_FROM', 'points@example.com'],
    ['MAIL_FROM', "O'Brien <points@shop.example>"],
    ['BACKUP_URL', 'elsewhere/points'],
    ['BACKUP_KEY', ''],
    ['ALPHA_ENVIRONMENT', 'live'],
    ['ALPHA_APP_SECRET', ''],
  ])('writes nothing when %s is %j', (name, value) => {
    const { status, stderr } = setUp({ [name]: value });
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(new RegExp(`^${name} .*\nNothing was written`)),
    });
    expect(['.env', 'deploy/secrets'].filter((it) => existsSync(join(folder, it)))).toEqual([]);
  });

  it('asks, and asks again after an answer that cannot be right', () => {
    const { MAIL_FROM: from, SMTP_URL: smtp = '' } = ANSWERS;
    const first = Object.values(ANSWERS).slice(0, 7);
    const lines = ['http://api', ...first, smtp, from, '', '', '', '', ''];
    const { status, stderr } = run([], `${lines.join('\n')}\n`);
    expect(status).toBe(0);
    expect(stderr).toMatch(/API_BASE_URL must be an https address.*\nPublic address of the API: /);
    expect(inFolder('.env')).toContain("API_BASE_URL='https://api.shop.example'\n");
  });

  it('is a plain shell script', () => {
    execFileSync('sh', ['-n', join(ROOT, 'deploy/setup')]);
    expect(readFileSync(join(ROOT, 'deploy/setup'), 'utf8')).toMatch(/^#!\/bin\/sh\n/);
  });
});

describe('.env.example', () => {
  const text = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const namesIn = (part: string) => part.match(/^[A-Z0-9_]+(?==)/gm) ?? [];

  it('has three levels: what is required, what is usually decided, and the rest', () => {
    const [, must = '', may = '', rarely = ''] = text.split(/^# --- \w+: .*---$/m);
    const titles = [...text.matchAll(/^# --- (\w+): /gm)].map(([, title]) => title);
    expect(titles).toEqual(['Must', 'May', 'Rarely']);
    expect(namesIn(must).sort()).toEqual(Object.keys(requiredEnv()).sort());
    const tuning = /^(WORKER_(?!HEALTH)|RATE_LIMIT_|DATABASE_POOL_MAX$|WEBHOOK_ALLOW_LOOPBACK$)/;
    expect(namesIn(may).filter((name) => tuning.test(name))).toEqual([]);
    expect(namesIn(rarely).filter((name) => tuning.test(name)).length).toBeGreaterThan(10);
  });

  it('may be copied to .env: what it shows is what the compose file has without it', () => {
    const shown = new Map(
      [...text.matchAll(/^([A-Z0-9_]+)=(.+)$/gm)].map(([, name = '', value]) => [name, value]),
    );
    const compose = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
    const defaults = [...compose.matchAll(/\$\{(\w+):-([^}]+)\}/g)];
    expect(defaults.length).toBeGreaterThan(5);
    const others = defaults.filter(
      ([, name = '', theirs]) => (shown.get(name) ?? theirs) !== theirs,
    );
    expect(others.map(([found]) => found)).toEqual([]);
    // Empty is for the service to decide: in production it insists on an answer.
    expect([...shown.keys()].filter((name) => name.endsWith('_ENVIRONMENT'))).toEqual([]);
  });
});
