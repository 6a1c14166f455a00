import { afterEach, expect, it, vi } from 'vitest';
import { loadConfig } from '../../config.ts';
import { byProvider } from '../../domain/payment.ts';
import { serviceEnvironment } from '../../sandbox/environment.ts';
import { newState } from '../../sandbox/state.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('the service of the sandbox takes nothing of Temporal from the shell', async () => {
  const theirs = {
    TEMPORAL_ADDRESS: 'temporal.production.example:7233',
    TEMPORAL_NAMESPACE: 'loyalty',
    TEMPORAL_TLS: 'true',
    TEMPORAL_API_KEY: 'key-of-production',
    TEMPORAL_API_KEY_FILE: '/run/secrets/key',
    TEMPORAL_TLS_CLIENT_CERT_PATH: '/run/secrets/cert',
    TEMPORAL_PROFILE: 'production',
    TEMPORAL_CONFIG_FILE: '/home/me/temporal.toml',
  };
  for (const [name, value] of Object.entries(theirs)) vi.stubEnv(name, value);

  const env = serviceEnvironment('/tmp/sandbox', await newState(), {
    ports: { api: 3000, apiMetrics: 9464, workerMetrics: 9465 },
    databaseUrl: 'postgres://127.0.0.1/loyalty',
    temporalAddress: '127.0.0.1:7233',
    issuer: 'http://127.0.0.1:4100',
    smtpUrl: 'smtp://127.0.0.1:4125',
    providerUrls: byProvider(() => 'http://127.0.0.1:4200'),
    appsUrl: 'http://127.0.0.1:4400',
  });

  expect(Object.entries(env).filter(([name]) => name.startsWith('TEMPORAL_'))).toEqual([
    ['TEMPORAL_ADDRESS', '127.0.0.1:7233'],
    ['TEMPORAL_NAMESPACE', 'loyalty-sandbox'],
  ]);
  expect(() => loadConfig(env)).not.toThrow();
});
