import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ConfigSchema } from '../../config.ts';
import { PROVIDERS } from '../../domain/payment.ts';
import { callbackPath, webhookPath } from '../../domain/provider-paths.ts';
import { runOpsHere } from '../support/run-ops.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const page = read('docs/production.md');
/** What is to be typed, a block after the other. */
const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);
const needsContainers = (block: string) => /^docker /m.test(block);

const folder = mkdtempSync(join(tmpdir(), 'loyalty-production-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('docs/production.md', () => {
  it('has commands that do what it says, as far as no container is needed', () => {
    cpSync(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true });
    rmSync(join(folder, 'deploy/secrets'), { recursive: true });
    const here = blocks.filter((block) => !needsContainers(block));
    expect(here).toHaveLength(1);
    for (const block of here) execFileSync('sh', ['-eu', '-c', block], { cwd: folder });
    expect(readFileSync(join(folder, '.env'), 'utf8')).toContain(
      "COMPOSE_PROFILES='temporal,apps,tls,backup'",
    );
    expect(readFileSync(join(folder, 'deploy/secrets/smtp_url'), 'utf8')).toMatch(/^smtps:/);
    expect(existsSync(join(folder, 'answers'))).toBe(false);
  });

  it('answers every question that deploy/setup asks, so that none is forgotten', () => {
    const asked = [...read('deploy/setup').matchAll(/^ *(?:setting|secret) "?([A-Z_]+)"? /gm)].map(
      ([, name = '']) => name,
    );
    expect(asked.length).toBeGreaterThan(9);
    const answered: string[] = blocks[0]?.match(/^[A-Z_]+(?==)/gm) ?? [];
    expect(asked.filter((name) => !answered.includes(name))).toEqual([]);
  });

  it('starts only services, and runs only commands, that are there', async () => {
    const Services = z.object({ services: z.record(z.string(), z.unknown()) });
    const { services } = Services.parse(parse(read('docker-compose.yml'), { merge: true }));
    const lines = blocks.filter(needsContainers).flatMap((block) => block.trim().split('\n'));
    const named = lines.flatMap((line) => line.match(/\b(?:api|worker)-\d\b/g) ?? []);
    expect(named.filter((name) => services[name] === undefined)).toEqual([]);
    const { out } = await runOpsHere(['--help']);
    const files = lines.flatMap((line) => / node (\S+)(?: (\S+))?$/.exec(line)?.slice(1, 3) ?? []);
    expect(files).toEqual([
      'ops/main.ts',
      'doctor',
      'ops/verify.ts',
      undefined,
      'ops/main.ts',
      'shops',
    ]);
    for (const command of ['doctor', 'shops']) expect(out).toContain(`\n  ${command}`);
  });

  it('names the addresses, events and scopes that the code has', () => {
    for (const name of PROVIDERS) {
      expect(page).toContain(`/api/v1${webhookPath(name)}`);
      expect(page).toContain(`/api/v1${callbackPath(name)}`);
    }
    const events = [...read('gateways/providers/alpha/payloads.ts').matchAll(/case '([a-z.]+)'/g)];
    const [, scopes = ''] =
      /const SCOPES = \[(.*)\]/.exec(read('gateways/providers/alpha/oauth.ts')) ?? [];
    const wanted = [
      ...events.map(([, event]) => event),
      ...scopes.split(', ').map((it) => it.slice(1, -1)),
    ];
    expect(wanted).toHaveLength(8);
    expect(wanted.filter((each) => !page.includes(`\`${each}\``))).toEqual([]);
  });

  it('names only settings that exist', () => {
    const others = ['APPS_CLIENT_ID', 'ACME_EMAIL', 'APP_ID'];
    const theirs = /^(MERCHANT_PROFILE|PAYMENTS|CUSTOMERS|ALERTS|BACKUP|COMPOSE|OTEL)_\w+$/;
    const known = [...Object.keys(ConfigSchema.shape), ...others];
    const names = page.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [];
    expect(names.filter((name) => !known.includes(name) && !theirs.test(name))).toEqual([]);
  });
});
