import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serviceEnvironment } from '../../bench/settings.ts';
import { ConfigSchema, loadConfig } from '../../config.ts';
import { byProvider } from '../../domain/payment.ts';
import { commandEnvironment, saveCommandEnvironment } from '../../sandbox/command-environment.ts';
import { serviceSettings } from '../../sandbox/environment.ts';
import { inherited } from '../../sandbox/processes/inherited.ts';
import { newState } from '../../sandbox/state.ts';
import { createProcesses } from '../support/processes.ts';

const THEIRS = '/of/another/installation';
const dir = mkdtempSync(join(tmpdir(), 'loyalty-shell-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** What a shell may hold of a real installation: every name of ours, and those of libraries. */
const NAMES = [
  ...Object.keys(ConfigSchema.shape).flatMap((name) => [name, `${name}_FILE`]),
  'TEMPORAL_PROFILE',
  'TEMPORAL_CONFIG_FILE',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'PGHOST',
  'PGSERVICE',
  'PGPASSFILE',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'NODE_OPTIONS',
];

beforeEach(() => {
  for (const name of NAMES) vi.stubEnv(name, THEIRS);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const at = {
  ports: { api: 3000, apiMetrics: 9464, workerMetrics: 9465 },
  databaseUrl: 'postgres://127.0.0.1/loyalty',
  temporalAddress: '127.0.0.1:7233',
  issuer: 'http://127.0.0.1:4100',
  smtpUrl: 'smtp://127.0.0.1:4125',
  providerUrls: byProvider(() => 'http://127.0.0.1:4200'),
  appsUrl: 'http://127.0.0.1:4400',
};

const namesOfTheirs = (env: NodeJS.ProcessEnv) =>
  Object.keys(env).filter((name) => env[name]?.includes(THEIRS));

describe('in a shell that holds all settings of a real installation', () => {
  it('the sandbox takes what is tuned by name, and nothing that leads elsewhere', async () => {
    const settings = serviceSettings(dir, await newState(), at);
    const taken = namesOfTheirs({ ...inherited(), ...settings });
    const tuned = Object.keys(ConfigSchema.shape).filter((name) =>
      /^LOG_LEVEL$|^RATE_LIMIT_|_INTERVAL_SECONDS$/.test(name),
    );
    expect(taken).toEqual(expect.arrayContaining(tuned));
    const elsewhere = /URL|FILE|ADDRESS|HOST|KEY|SECRET|TOKEN|ISSUER|DIRECTORY|DSN|ENDPOINT|NODE/;
    expect(taken.filter((name) => elsewhere.test(name))).toEqual([]);
  });

  it('a command for the sandbox takes nothing of it', async () => {
    vi.unstubAllEnvs();
    const settings = serviceSettings(dir, await newState(), at);
    const api = 'http://127.0.0.1:3000';
    saveCommandEnvironment(dir, {
      settings,
      api,
      ownerUrl: 'postgres://o@h/d',
      temporalCli: '/x/t',
    });
    for (const name of NAMES) vi.stubEnv(name, THEIRS);
    const env = commandEnvironment(dir) ?? {};
    expect(namesOfTheirs(env)).toEqual([]);
    expect(env.DATABASE_URL).toBe(at.databaseUrl);
    expect(env.PATH).toMatch(/^\/x:/);
    expect(loadConfig(env).database).toMatchObject({
      installation: 'sandbox',
      url: at.databaseUrl,
    });
  });

  it('the processes of tests and benchmarks take nothing of it', async () => {
    const { databaseUrl, temporalAddress } = at;
    const place = { databaseUrl, temporalAddress, namespace: 'n' };
    const processes = await createProcesses(place);
    await processes.close();
    expect(namesOfTheirs(processes.env)).toEqual([]);
    expect(loadConfig(processes.env).database.installation).toBe('test');
    expect(namesOfTheirs(serviceEnvironment(place))).toEqual([]);
  });
});

it('the service of the sandbox starts with its settings', async () => {
  vi.unstubAllEnvs();
  const env = serviceSettings('/tmp/sandbox', await newState(), at);
  expect(Object.entries(env).filter(([name]) => name.startsWith('TEMPORAL_'))).toEqual([
    ['TEMPORAL_ADDRESS', '127.0.0.1:7233'],
    ['TEMPORAL_NAMESPACE', 'loyalty-sandbox'],
  ]);
  expect(() => loadConfig(env)).not.toThrow();
});
