import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

// Settings of other people's programs that protect this service, and that nothing else would miss.

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

it('the proxy cuts slow callers off, and limits what an address may open', () => {
  const settings = read('deploy/nginx/nginx.conf');
  for (const name of ['client_header_timeout', 'client_body_timeout', 'send_timeout']) {
    expect(settings).toMatch(new RegExp(`^ *${name} 10s;$`, 'm'));
  }
  expect(settings).toMatch(/^ *limit_conn connections 100;$/m);
  expect(settings).toMatch(/^ *limit_conn_zone \$caller zone=connections:/m);
});

it('Postgres does not quote refused rows in its log', () => {
  expect(read('docker-compose.yml')).toMatch(/'log_error_verbosity=terse'/);
});

it('installing runs no script of a package', () => {
  expect(read('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  expect(read('Dockerfile')).toMatch(/npm ci .*--ignore-scripts/);
});
