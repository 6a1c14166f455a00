import { describe, expect, it } from 'vitest';
import { type Config, loadConfig, objectsUrlFrom } from '../config.ts';
import { createMetrics } from '../gateways/telemetry/metrics.ts';
import { providersFrom } from '../wiring.ts';
import { requiredEnv } from './support/required-env.ts';

const configOf = (env: Record<string, string> = {}): Config =>
  loadConfig({ ...requiredEnv(), ...env });
const metrics = createMetrics('api');
const shares = { leaseMs: 1_000, take: async () => [] };

describe('providersFrom', () => {
  it('sends merchants to the apps and the origins that are configured', () => {
    const { alpha, beta } = providersFrom(
      configOf({
        ALPHA_APP_ID: 'alpha-app',
        ALPHA_APP_SECRET: 'alpha-secret',
        ALPHA_ORIGIN: 'http://alpha.test',
        BETA_APP_ID: 'beta-app',
        BETA_APP_SECRET: 'beta-secret',
        BETA_WEB_ORIGIN: 'http://beta.test',
      }),
      metrics,
      shares,
    );
    expect([alpha.oauth.missing, beta.oauth.missing]).toEqual([[], []]);
    expect(alpha.oauth.authorizationUrl('state').href).toMatch(
      /^http:\/\/alpha\.test\/.*client_id=alpha-app/,
    );
    const atBeta = beta.oauth.authorizationUrl('state');
    expect(atBeta.origin).toBe('http://beta.test');
    expect(Object.fromEntries(atBeta.searchParams)).toMatchObject({
      client_id: 'beta-app',
      redirect_uri: 'https://api.shop.example/api/v1/oauth/beta/callback',
    });
  });

  it('names what is not configured', () => {
    const { alpha, beta } = providersFrom(configOf({ BETA_APP_ID: 'beta-app' }), metrics, shares);
    expect(alpha.oauth.missing).toEqual(['ALPHA_APP_ID', 'ALPHA_APP_SECRET']);
    expect(beta.oauth.missing).toEqual(['BETA_APP_SECRET']);
  });
});

it.each([
  { env: {}, origin: 'https://connect.squareupsandbox.com' },
  { env: { ALPHA_ENVIRONMENT: 'production' }, origin: 'https://connect.squareup.com' },
  { env: { ALPHA_ORIGIN: 'http://alpha.test' }, origin: 'http://alpha.test' },
])('alpha is where $env says', ({ env, origin }) => {
  expect(providersFrom(configOf(env), metrics, shares).alpha.oauth.origin).toBe(origin);
});

it.each([
  { env: {}, url: 'https://api.shop.example/objects' },
  {
    env: { OBJECT_STORE_PUBLIC_URL: 'https://cdn.shop.example/logos' },
    url: 'https://cdn.shop.example/logos',
  },
])('pictures are below $url', ({ env, url }) => {
  expect(objectsUrlFrom(configOf(env))).toBe(url);
});
