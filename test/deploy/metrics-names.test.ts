import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { freePort } from '../../sandbox/processes/ports.ts';
import { RECONCILE_SCHEDULE_ID, TASK_QUEUE } from '../../workflows/ids.ts';
import { aWallet } from '../support/factories.ts';
import { useDatabase, useTemporal } from '../support/fixtures.ts';
import { sampleNames } from '../support/metric-text.ts';
import { needs } from '../support/needs.ts';
import { createProcesses } from '../support/processes.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ALERTS = join(ROOT, 'deploy/prometheus/alerts.yml');
/** Part of Prometheus. */
const PROMTOOL: string = 'promtool';
const SOON = { timeout: 30_000, interval: 250 };

const Alerts = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          labels: z.object({ severity: z.enum(['none', 'warning', 'critical']) }),
          annotations: z.object({ summary: z.string(), runbook_url: z.string() }),
        }),
      ),
    }),
  ),
});
const Dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

const alerts = Alerts.parse(parse(readFileSync(ALERTS, 'utf8'))).groups.flatMap(
  ({ rules }) => rules,
);
const dashboards = readdirSync(join(ROOT, 'deploy/grafana'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json'))
  .map((path) => readFileSync(join(ROOT, 'deploy/grafana', path), 'utf8'))
  .map((text) => Dashboard.parse(JSON.parse(text)));
const queries = dashboards.flatMap(({ panels }) =>
  panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
);

/** Keywords of PromQL, and `up`, a metric of Prometheus itself. */
const WORDS = new Set(['and', 'or', 'unless', 'on', 'by', 'bool', 'offset', 'up']);
const LABELS = /\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g;

/** Those of Temporal's server, which neither of our processes serves. */
const TEMPORALS = new Set(['workflow_timeout', 'workflow_terminate']);

/** Returns the metrics of ours that an expression queries. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replace(/"(?:[^"\\]|\\.)*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(LABELS, '');
  const names = [...bare.matchAll(/\b([a-zA-Z_]\w*)\b(?!\s*\()/g)].flatMap(
    ([, name]) => name ?? [],
  );
  return names.filter((name) => !WORDS.has(name) && !TEMPORALS.has(name));
}
const [exported, exportedBy] = [new Set<string>(), new Map<string, Set<string>>()];
const ports = { api: await freePort(), worker: await freePort() };
const database = await useDatabase();
const temporal = await useTemporal();
const processes = await createProcesses({
  databaseUrl: database.url,
  temporalAddress: temporal.address,
  namespace: temporal.namespace,
  env: { METRICS_PORT: String(ports.api), WORKER_HEALTH_PORT: String(ports.worker) },
});
await Promise.all([processes.start('api'), processes.start('worker')]);
await temporal.client.schedule.getHandle(RECONCILE_SCHEDULE_ID).trigger();
// A run that fails, because a wallet does not add up, and one whose task fails: only they make
// those metrics appear.
await database.endVerification();
// As whatever makes backups would.
await database.db.raw(`select record_backup('log', now())`);
const walletId = await aWallet(database.db, { balance: 5 });
await database.owner('wallets').where({ id: walletId }).update({ balance: 6 });
for (const workflowType of ['verifyLedger', 'noSuchWorkflow']) {
  const options = { workflowId: workflowType, taskQueue: TASK_QUEUE, args: [] };
  await temporal.client.workflow.start(workflowType, options);
}
afterAll(() => processes.close());

async function scrape(service: 'api' | 'worker'): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${ports[service]}/metrics`);
  const text = await response.text();
  exportedBy.set(service, sampleNames(text));
  for (const name of sampleNames(text)) exported.add(name);
  return text;
}

describe('exported metrics', () => {
  it('include every metric that an alert or a dashboard queries', async () => {
    const queried = new Set([...alerts.map(({ expr }) => expr), ...queries].flatMap(metricsIn));
    expect(queried.size).toBeGreaterThan(30);
    const missing = async () => {
      await Promise.all([scrape('api'), scrape('worker')]);
      // Of Prometheus itself, of the machine, and of what gets certificates.
      const others = /^(up|node_\w+|loyalty_certificate_\w+|certmanager_\w+)$/;
      return [...queried].filter((name) => !exported.has(name) && !others.test(name));
    };
    // Those of the Temporal SDK appear once a run has completed.
    await expect.poll(missing, SOON).toEqual([]);
  });

  it('are each in a panel of a dashboard, except those of the runtime and the SDK', async () => {
    const texts = await Promise.all([scrape('api'), scrape('worker')]);
    const families = texts.flatMap((text) => [...text.matchAll(/^# TYPE (loyalty_\w+)/gm)]);
    const ours = new Set(families.map(([, name = '']) => name));
    expect(ours.size).toBeGreaterThan(30);
    const shown = queries
      .flatMap(metricsIn)
      .map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    expect([...ours].filter((name) => !shown.includes(name))).toEqual([]);
  });

  it('include those of the Temporal SDK, in seconds and with totals', () => {
    expect(exportedBy.get('worker')).toContain('temporal_workflow_task_queue_poll_succeed_total');
    expect(exportedBy.get('worker')).toContain(
      'temporal_activity_execution_latency_seconds_bucket',
    );
    expect(exportedBy.get('api')).toContain('temporal_request_total');
  });

  it('are each exported once', async () => {
    for (const service of ['api', 'worker'] as const) {
      const families = [...(await scrape(service)).matchAll(/^# TYPE (\w+)/gm)].map(([, it]) => it);
      expect(families).toEqual([...new Set(families)]);
    }
  });
});

describe('metricsIn', () => {
  it('metrics only, without functions, labels and strings', () => {
    const expr = `histogram_quantile(0.9, sum by (le, job) (rate(a_bucket{b="c d",e=~"f"}[5m])))
      > 1e3 and on (instance) absent(g) unless on () h`;
    expect(metricsIn(expr)).toEqual(['a_bucket', 'g', 'h']);
  });
});

describe('alerts', () => {
  it('link to an existing section of docs/operating.md', () => {
    const text = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
    const anchors = [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
    for (const { alert, annotations } of alerts) {
      const [page, anchor = ''] = annotations.runbook_url.split('#');
      expect([page, anchors.includes(anchor)], alert).toEqual(['docs/operating.md', true]);
    }
  });

  it('have unique names', () => {
    const names = alerts.map(({ alert }) => alert);
    expect(names).toEqual([...new Set(names)]);
  });

  it('pass promtool check rules', needs('promtool'), () => {
    expect(execFileSync(PROMTOOL, ['check', 'rules', ALERTS], { encoding: 'utf8' })).toContain(
      'SUCCESS',
    );
  });

  it('fire when they should, and only then', needs('promtool'), () => {
    const tests = join(ROOT, 'test/deploy/alerts.promtest.yml');
    expect(execFileSync(PROMTOOL, ['test', 'rules', tests], { encoding: 'utf8' })).toContain(
      'SUCCESS',
    );
  });
});
