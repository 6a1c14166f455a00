import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { storeSettings } from '../../db/session-settings.ts';
import { type AlphaSimulator, startAlpha } from '../../sandbox/providers/alpha/simulator.ts';
import { prepareNamespace } from '../../sandbox/temporal/namespace.ts';
import { startFakePooler } from '../support/database/fake-pooler.ts';
import { createTestDatabase } from '../support/database/test-database.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { type HttpReply, startHttpServer } from '../support/http/http-server.ts';
import { startS3 } from '../support/http/s3.ts';
import { startIssuer } from '../support/people/issuer.ts';
import { ALPHA_APP, BETA_APP } from '../support/providers/oauth.ts';
import { requiredEnv } from '../support/required-env.ts';
import { runOpsHere } from '../support/run-ops.ts';

// A deployment in which all is right, and one for each thing that may be wrong.

const database = await useDatabase();
const temporal = await useTemporal();
await storeSettings(database.db);
const [issuer, bucket] = [await startIssuer(), await startS3('pictures')];
const health = { status: 'ok', version: '0.1.0', env: 'test' };
const api = await startHttpServer(() => ({ status: 200, body: health }));
const mail = await startMailServer();
const alpha = await startTestAlpha();
afterAll(async () => {
  const servers = [issuer, bucket, api];
  await Promise.all([...servers.map((server) => server.close()), alpha.stop()]);
  mail.server.close();
});

const { accessKeyId, secretAccessKey, region } = bucket.credentials;
const storeUrl = (name: string) => `s3://${name}?endpoint=${bucket.endpoint}&region=${region}`;
const good: Record<string, string> = {
  ...requiredEnv(),
  NODE_ENV: 'test',
  DATABASE_URL: database.url,
  TEMPORAL_ADDRESS: temporal.address,
  TEMPORAL_NAMESPACE: temporal.namespace,
  API_BASE_URL: api.url,
  OIDC_ISSUER: issuer.url,
  SMTP_URL: mail.url('right'),
  OBJECT_STORE_URL: storeUrl('pictures'),
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  ALPHA_APP_ID: ALPHA_APP.id,
  ALPHA_APP_SECRET: ALPHA_APP.secret,
  ALPHA_ORIGIN: alpha.url,
  ALPHA_WEBHOOK_SIGNATURE_KEY: 'alpha-test-signature-key',
  BETA_APP_ID: BETA_APP.id,
  BETA_APP_SECRET: BETA_APP.secret,
  BETA_WEBHOOK_SECRET: 'beta-test-secret',
};

const Findings = z.array(
  z.object({
    name: z.string(),
    state: z.enum(['ok', 'failed', 'unknown']),
    text: z.string(),
    todo: z.string().optional(),
  }),
);

async function examine(changes: Record<string, string> = {}) {
  const { status, out, err } = await runOpsHere(['doctor', '--json'], { ...good, ...changes });
  expect(err).toBe('');
  const findings = Findings.parse(JSON.parse(out));
  const named = (wanted: string) =>
    findings.filter(({ state }) => state === wanted).map(({ name }) => name);
  return { status, findings, failed: named('failed'), unknown: named('unknown') };
}

describe('doctor', () => {
  it('finds nothing where all is right, and says what cannot be told', async () => {
    const { status, failed, unknown, findings } = await examine();
    expect({ status, failed, unknown }).toEqual({
      status: 0,
      failed: [],
      unknown: ['beta app', 'backup'],
    });
    expect(findings.map(({ name }) => name)).toEqual([
      'database',
      'database role',
      'listening session',
      'database clock',
      'Temporal',
      'search attributes',
      'starts of polls',
      'issuer',
      'clock',
      'mail server',
      'object store',
      'identity directory',
      'alpha app',
      'alpha webhooks',
      'beta app',
      'beta webhooks',
      'public address',
      'backup',
    ]);
    expect(bucket.objects.size).toBe(0);
  });

  it('says it in a line each, with what to do about a fault', async () => {
    const { status, out } = await runOpsHere(['doctor'], { ...good, SMTP_URL: mail.url('wrong') });
    const lines = out.trim().split('\n');
    expect({ status, lines: lines.length }).toEqual({ status: 1, lines: 18 });
    const [line] = lines.filter((each) => each.startsWith('FAILED'));
    expect(line).toMatch(/^FAILED {5}mail server +The mail server answered 535 .*Check SMTP_URL/);
    expect(out).not.toContain('wrong');
  });

  it('leaves the keys of webhooks to an API where it is asked as a worker', async () => {
    const { failed, unknown } = await examine({
      CRON_SECRET: '',
      ALPHA_WEBHOOK_SIGNATURE_KEY: '',
      BETA_WEBHOOK_SECRET: '',
    });
    expect(failed).toEqual([]);
    expect(unknown).toEqual(
      expect.arrayContaining(['listening session', 'alpha webhooks', 'beta webhooks']),
    );
  });
});

const nothing = 'http://127.0.0.1:9';
describe('a set-up with one fault is told by its line alone', () => {
  it.each<[string, string, Record<string, string>]>([
    ['no database answers', 'database', { DATABASE_URL: 'postgres://a:b@127.0.0.1:9/none' }],
    ['the database is of another installation', 'database', { NODE_ENV: 'staging' }],
    ['no Temporal answers', 'Temporal', { TEMPORAL_ADDRESS: '127.0.0.1:9' }],
    ['Temporal has no such namespace', 'Temporal', { TEMPORAL_NAMESPACE: 'none' }],
    ['no issuer answers', 'issuer', { OIDC_ISSUER: nothing }],
    ['the issuer is named otherwise', 'issuer', { OIDC_ISSUER: `${issuer.url}/` }],
    ['the issuer has no keys there', 'issuer', { OIDC_JWKS_URL: `${issuer.url}/keys` }],
    ['no mail server answers', 'mail server', { SMTP_URL: 'smtp://127.0.0.1:9' }],
    ['the mail server refuses the login', 'mail server', { SMTP_URL: mail.url('wrong') }],
    ['there is no such bucket', 'object store', { OBJECT_STORE_URL: storeUrl('photos') }],
    ['the bucket refuses the key', 'object store', { AWS_SECRET_ACCESS_KEY: 'a wrong one' }],
    ['alpha does not know the secret', 'alpha app', { ALPHA_APP_SECRET: 'a wrong one' }],
    ['alpha does not know the app', 'alpha app', { ALPHA_APP_ID: 'another' }],
    ['half of an app is configured', 'beta app', { BETA_APP_SECRET: '' }],
    ['alpha has no key', 'alpha webhooks', { ALPHA_WEBHOOK_SIGNATURE_KEY: '' }],
    ['no app is configured', 'providers', { ALPHA_APP_ID: '', BETA_APP_ID: '' }],
    ['nobody is at the public address', 'public address', { API_BASE_URL: nothing }],
    ['somebody else is there', 'public address', { API_BASE_URL: issuer.url }],
    [
      'the directory does not answer',
      'identity directory',
      {
        IDENTITY_DIRECTORY: 'gotrue',
        IDENTITY_ADMIN_URL: nothing,
        IDENTITY_ADMIN_TOKEN: 'a token',
      },
    ],
  ])('%s: %s', async (_, name, changes) => {
    const { status, failed, findings } = await examine(changes);
    expect({ status, failed }).toEqual({ status: 1, failed: [name] });
    expect(findings.find((finding) => finding.name === name)?.todo).toMatch(/\.$/);
  });

  it('the namespace lacks search attributes', async () => {
    const namespace = `bare-${crypto.randomUUID()}`;
    await prepareNamespace(temporal.address, namespace, {});
    const { failed } = await examine({ TEMPORAL_NAMESPACE: namespace });
    expect(failed).toEqual(['search attributes']);
  });

  it('the role of the database has no limits', async () => {
    const other = await createTestDatabase();
    const { failed } = await examine({ DATABASE_URL: other.url });
    await other.close();
    expect(failed).toEqual(['database role']);
  });

  it('an API listens through a pooler', async () => {
    const pooler = await startFakePooler(database.url);
    const { failed, findings } = await examine({ DATABASE_URL: pooler.url });
    expect(failed).toEqual(['listening session']);
    expect(findings[1]?.text).toBe('has its limits, behind a pooler');
    const mended = { DATABASE_URL: pooler.url, DATABASE_LISTEN_URL: database.url };
    expect(await examine(mended)).toMatchObject({ failed: [] });
    pooler.close();
  });

  it('the backups are too old, once they are known', async () => {
    const other = await createTestDatabase();
    await storeSettings(other.db);
    const tell = (kind: string, age: string) =>
      other.db.raw('select record_backup(:kind, now() - :age::interval)', { kind, age });
    await tell('log', '40 seconds');
    const { findings, unknown } = await examine({ DATABASE_URL: other.url });
    expect(unknown).toEqual(['beta app']);
    expect(findings.at(-1)).toMatchObject({
      state: 'ok',
      text: expect.stringMatching(/^the log was shipped \d+ seconds ago, a copy was made 0 hours/),
    });
    await tell('copy', '31 hours');
    const late = await examine({ DATABASE_URL: other.url });
    await other.close();
    expect(late.failed).toEqual(['backup']);
    expect(late.findings.at(-1)?.text).toMatch(/^copy is too old: .* a copy was made 31 hours ago/);
  });

  it('the clocks of this machine and the issuer disagree', async () => {
    const late = new Date(Date.now() - 120_000).toUTCString();
    const slow = await startHttpServer(({ path }): HttpReply => {
      const keys = { keys: [{ kty: 'EC' }] };
      const discovery = { issuer: slow.url, jwks_uri: `${slow.url}/jwks` };
      return { status: 200, body: path === '/jwks' ? keys : discovery, headers: { Date: late } };
    });
    const { failed } = await examine({ OIDC_ISSUER: slow.url });
    await slow.close();
    expect(failed).toEqual(['clock']);
  });
});

async function startMailServer() {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authMethods: ['PLAIN'],
    onAuth: ({ password }, _, done) =>
      password === 'right' ? done(null, { user: 'loyalty' }) : done(new Error('Invalid login')),
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  const at = `127.0.0.1:${address.port}`;
  return { server, url: (password: string) => `smtp://loyalty:${password}@${at}` };
}

function startTestAlpha(): Promise<AlphaSimulator> {
  return startAlpha({
    port: 0,
    appId: ALPHA_APP.id,
    appSecret: ALPHA_APP.secret,
    signatureKey: 'alpha-test-signature-key',
    webhookUrl: `${api.url}/api/v1/webhooks/alpha`,
  });
}
