import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { pathOf } from '../../api/http/route.ts';
import { routes } from '../../api/routes/index.ts';
import type { DenialCode } from '../../domain/account-status.ts';
import * as ids from '../../workflows/ids.ts';
import { runOpsHere } from '../support/run-ops.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8');
const text = read('docs/operating.md');

/** Each match of an expression's only group. */
const named = (expression: RegExp) => [
  ...new Set([...text.matchAll(expression)].flatMap(([, name]) => name ?? [])),
];

describe('docs/operating.md', () => {
  it('names only commands that are there', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    const used = named(/npm run (?:-s )?([a-z][a-z:-]*)/g);
    expect(used).toEqual(expect.arrayContaining(['ops', 'verify', 'migrate']));
    expect(used.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('names only operations that `npm run ops` knows', async () => {
    const { out: usage } = await runOpsHere(['--help']);
    const known = [...usage.matchAll(/^ {2}([a-z][a-z -]*[a-z])/gm)].map(([, words]) => words);
    const used = named(
      /npm run (?:-s )?ops -- ([a-z][a-z-]*(?: (?:list|show|replay|dismiss|disconnect|close))?)/g,
    );
    expect(used.length).toBeGreaterThan(7);
    expect(used.filter((words) => !known.includes(words))).toEqual([]);
  });

  it('names only addresses that are served', () => {
    const served = routes.map((route) => `${route.method} ${pathOf(route)}`);
    const used = named(/`((?:GET|POST|PATCH) \/api\/v1\/[\w/:-]+)`/g);
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((address) => !served.includes(address))).toEqual([]);
  });

  it('explains every event of the log, and no other', () => {
    const folders = ['activities', 'api', 'db', 'gateways', 'workflows', 'worker'];
    const sources = folders.flatMap((folder) =>
      readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .map((path) => read(`${folder}/${path}`)),
    );
    const logged = sources.flatMap((source) =>
      [...source.matchAll(/\bevent(?::| =) '(\w+)'/g)].map(([, event]) => event),
    );
    const table = text.slice(text.indexOf('| `event` |'), text.indexOf('**A request.**'));
    const explained = [...table.matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, event]) => event);
    expect(explained.length).toBeGreaterThan(30);
    expect([...explained].sort()).toEqual([...new Set(logged)].sort());
  });

  it('names only Schedules and queues that are ours', () => {
    const ours: unknown[] = [...Object.values(ids), ids.pollScheduleId('CONNECTION_ID')];
    const used = named(/--(?:schedule-id|task-queue) ([\w/-]+)/g);
    expect(used.length).toBeGreaterThan(3);
    expect(used.filter((id) => !ours.includes(id))).toEqual([]);
  });

  it('names only alerts that are raised, and only names of the configuration', () => {
    const alerts = read('deploy/prometheus/alerts.yml');
    const env = read('.env.example');
    const raised = named(/`(Loyalty\w+)`/g);
    expect(raised.length).toBeGreaterThan(15);
    expect(raised.filter((alert) => !alerts.includes(`alert: ${alert}\n`))).toEqual([]);
    // Written as names are; `auth/me` answers them.
    const standings: DenialCode[] = ['PENDING_APPROVAL', 'ADMIN_EMAIL_REQUIRED'];
    const names = named(/`([A-Z]+(?:_[A-Z]+)+)`/g);
    const known = [...env.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(12);
    const ours = names.filter((name) => !/^(OTEL|ALERTS|BACKUP)_/.test(name));
    expect(ours.filter((name) => !known.includes(name)).sort()).toEqual(standings.sort());
  });
});
