import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { settingNames } from '../../gateways/providers/index.ts';
import { requiredEnv } from '../support/required-env.ts';
import { runOpsHere, runVerifyHere } from '../support/run-ops.ts';
import { commandsOf } from '../topology/runbook.ts';

// Operators' commands run in the container of a worker, which lacks what only the API reads.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const Services = z.object({
  services: z.record(
    z.string(),
    z.looseObject({ environment: z.record(z.string(), z.unknown()).default({}) }),
  ),
});
const compose = Services.parse(
  parse(readFileSync(`${ROOT}docker-compose.yml`, 'utf8'), { merge: true }),
);
const given = compose.services['worker-1']?.environment ?? {};
const names = Object.keys(given).map((name) => name.replace(/_FILE$/, ''));

/** The required settings that the worker of the compose file has; no database answers. */
const workerEnv = Object.fromEntries(
  Object.entries({ ...requiredEnv(), DATABASE_URL: 'postgres://ops@127.0.0.1:9/none' }).filter(
    ([name]) => names.includes(name),
  ),
);

const runbook = commandsOf(new URL('../../docs/operating.md', import.meta.url));
const words = (command: string) =>
  command
    .replace(/\s[|>#].*$/s, '')
    .replace('WALLET_ID:SEQ', '3d1f6a8e-7c44-4e0a-9b9e-5a2c8d7e6f10:1')
    .replace(/ SEQ\b/, ' 1')
    .replace(/"[^"]*"/, 'reason')
    .replaceAll(/\b(ID|[A-Z_]+_ID)\b/g, '3d1f6a8e-7c44-4e0a-9b9e-5a2c8d7e6f10')
    .replaceAll(/\b(\w+_)?EMAIL\b/g, 'ada@example.com')
    .split(/\s+/);
const ops = [
  ...new Set(runbook.flatMap((line) => /^npm run (?:-s )?ops -- (.*)$/s.exec(line)?.[1] ?? [])),
];

describe('in the environment of a worker', () => {
  it('lacks what only the API reads', () => {
    const keys = settingNames().map(({ webhookKey }) => webhookKey);
    for (const name of ['CRON_SECRET', ...keys]) expect(names).not.toContain(name);
    expect(workerEnv).toHaveProperty('ADMIN_EMAIL_DOMAIN');
    expect(ops.length).toBeGreaterThan(15);
  });

  it.each(ops)('the configuration is enough for: ops %s', async (command) => {
    const { err } = await runOpsHere(words(command), workerEnv);
    expect(err).not.toContain('The configuration has problems');
    expect(err).not.toContain('npm run ops -- COMMAND');
  });

  it('the configuration is enough for verify', async () => {
    const { status, err } = await runVerifyHere([], workerEnv);
    expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining('REFUSED') });
  });
});
