import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { needs } from '../support/needs.ts';

const ALERTS = fileURLToPath(new URL('../../deploy/prometheus/alerts.yml', import.meta.url));
/** The tests that also compare what an alert says. */
const IN_WORDS = fileURLToPath(new URL('./alerts.promtest.yml', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'loyalty-alerts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Series in Prometheus's notation: a sample a minute, or every ten in a case that lasts long. */
type Series = Record<string, string>;
const LONG_MINUTES = 300;
type Case = { alert: string; fires: Series; quiet: Series; minutes?: number };

const ALPHA = '{provider="alpha"}';
const buckets = (name: string, labels: string, fast: string, slow: string): Series => ({
  [`${name}_bucket{${labels}le="1"}`]: fast,
  [`${name}_bucket{${labels}le="60"}`]: fast,
  [`${name}_bucket{${labels}le="3600"}`]: slow,
  [`${name}_bucket{${labels}le="+Inf"}`]: slow,
});
const gauge = (alert: string, name: string, fires: number, quiet: number): Case => ({
  alert,
  fires: { [name]: `${fires}x120` },
  quiet: { [name]: `${quiet}x120` },
});
const latency = (alert: string, name: string, labels = ''): Case => ({
  alert,
  fires: buckets(name, labels, '0+1x120', '0+100x120'),
  quiet: buckets(name, labels, '0+100x120', '0+100x120'),
});

const WAITED = 'temporal_activity_schedule_to_start_latency_seconds';

const CASES: Case[] = [
  gauge('LoyaltyEventsPending', 'loyalty_events_oldest_pending_seconds', 700, 500),
  gauge('LoyaltyEventsPoisoned', 'loyalty_events_poisoned', 1, 0),
  gauge('LoyaltyEventsGivenUp', 'loyalty_events_given_up', 1, 0),
  gauge('LoyaltyWebhooksWaiting', 'loyalty_webhook_wait_seconds', 1_000, 800),
  gauge('LoyaltyHandOverBacklog', 'loyalty_hand_over_events', 6_000, 4_000),
  gauge('LoyaltyPoolExhausted', 'loyalty_db_pool_waiting', 1, 0),
  {
    ...gauge('LoyaltyReconnectNeeded', `loyalty_connections_reconnect${ALPHA}`, 1, 0),
    minutes: 70,
  },
  latency('LoyaltyIngestSlow', 'loyalty_webhook_credit_seconds', 'provider="alpha",'),
  latency('LoyaltyIngestLag', 'loyalty_ingest_lag_seconds', 'provider="alpha",source="webhook",'),
  {
    alert: 'LoyaltyWorkersBehind',
    // A queue with few activities is not hidden by one with many.
    fires: {
      ...buckets(WAITED, 'task_queue="loyalty",', '0+1000x120', '0+1000x120'),
      ...buckets(WAITED, 'task_queue="loyalty-polling",', '0+1x120', '0+100x120'),
    },
    quiet: {
      ...buckets(WAITED, 'task_queue="loyalty",', '0+100x120', '0+100x120'),
      // A night's tiers, or a month's notices, of many shops.
      ...buckets(WAITED, 'task_queue="loyalty-maintenance",', '0+1x120', '0+100x120'),
      ...buckets(WAITED, 'task_queue="loyalty-notices",', '0+1x120', '0+100x120'),
    },
  },
  latency(
    'LoyaltyWorkflowTasksWaiting',
    'temporal_workflow_task_schedule_to_start_latency_seconds',
    'task_queue="loyalty",',
  ),
  ...['workflow_timeout', 'workflow_terminate'].map((name) => ({
    alert: 'LoyaltyRunsCutOff',
    fires: { [`${name}{taskqueue="loyalty",workflowType="reconcile"}`]: '_x50 1x70' },
    quiet: {
      [`${name}{taskqueue="loyalty",workflowType="deliverEvents"}`]: '0+1x120',
      [`${name}{taskqueue="temporal-sys-per-ns-tq",workflowType="x"}`]: '0+1x120',
    },
  })),
  {
    alert: 'LoyaltyIngestFailing',
    fires: { loyalty_ingest_failures_total: '0+2x120', loyalty_ingest_outcomes_total: '0+1x120' },
    quiet: { loyalty_ingest_failures_total: '0+2x120', loyalty_ingest_outcomes_total: '0+9x120' },
  },
  {
    alert: 'LoyaltyServerErrors',
    fires: {
      'loyalty_http_requests_total{status="503"}': '0+2x120',
      'loyalty_http_requests_total{status="200"}': '0+100x120',
    },
    quiet: {
      'loyalty_http_requests_total{status="404"}': '0+50x120',
      'loyalty_http_requests_total{status="200"}': '0+100x120',
    },
  },
  {
    alert: 'LoyaltyWebhooksUnauthentic',
    fires: { 'loyalty_webhooks_refused_total{reason="unauthentic",provider="alpha"}': '0+2x120' },
    quiet: { 'loyalty_webhooks_refused_total{reason="unauthentic",provider="alpha"}': '0+1x120' },
  },
  {
    alert: 'LoyaltyCodesGuessed',
    fires: { loyalty_operators_blocked_total: '0x50 1x70' },
    quiet: { loyalty_operators_blocked_total: '1x120' },
  },
  {
    alert: 'LoyaltyAdjustmentsRefused',
    fires: { loyalty_adjustments_refused_total: '0x50 1x70' },
    quiet: { loyalty_adjustments_refused_total: '1x120' },
  },
  {
    alert: 'LoyaltyUnusualMovements',
    fires: { loyalty_unusual_consumers_total: '0x50 30x70' },
    quiet: { loyalty_unusual_consumers_total: '0x50 3x70' },
  },
  {
    alert: 'LoyaltyApiAbsent',
    fires: { 'loyalty_process_info{service="worker"}': '1x120' },
    quiet: { 'loyalty_process_info{service="api"}': '1x120' },
  },
  {
    alert: 'LoyaltyWorkerAbsent',
    fires: { 'loyalty_process_info{service="api"}': '1x120' },
    quiet: { 'loyalty_process_info{service="worker"}': '1x120' },
  },
  {
    alert: 'LoyaltyNoPollSucceeds',
    fires: {
      'loyalty_polls_total{outcome="done"}': '7x400',
      'loyalty_polls_total{outcome="failed"}': '0+1x400',
      [`loyalty_connections_active${ALPHA}`]: '3x400',
      [`loyalty_connections_reconnect${ALPHA}`]: '1x400',
    },
    // Where webhooks bring everything, no poll is due for hours.
    quiet: {
      'loyalty_polls_total{outcome="done"}': '7x40 8x400',
      [`loyalty_connections_active${ALPHA}`]: '3x400',
      [`loyalty_connections_reconnect${ALPHA}`]: '1x400',
    },
    minutes: 200,
  },
  {
    alert: 'LoyaltyNoPollSucceeds',
    fires: {
      'loyalty_polls_total{outcome="done"}': '7x110',
      [`loyalty_connections_active${ALPHA}`]: '3x110',
      [`loyalty_connections_reconnect${ALPHA}`]: '1x110',
    },
    // All that is left has to be connected again, which another alert says.
    quiet: {
      'loyalty_polls_total{outcome="done"}': '7x110',
      [`loyalty_connections_active${ALPHA}`]: '3x110',
      [`loyalty_connections_reconnect${ALPHA}`]: '3x110',
    },
    minutes: 1_000,
  },
  {
    alert: 'LoyaltyProviderFailing',
    fires: {
      'loyalty_provider_request_duration_seconds_count{outcome="failed",provider="beta"}':
        '0+6x120',
      'loyalty_provider_request_duration_seconds_count{outcome="answered",provider="beta"}':
        '0+4x120',
    },
    quiet: {
      'loyalty_provider_request_duration_seconds_count{outcome="failed",provider="beta"}':
        '0+4x120',
      'loyalty_provider_request_duration_seconds_count{outcome="answered",provider="beta"}':
        '0+6x120',
    },
  },
  {
    alert: 'LoyaltyMailsFailing',
    fires: {
      'loyalty_mails_total{outcome="failed"}': '0+1x120',
      'loyalty_mails_total{outcome="sent"}': '5x120',
    },
    quiet: {
      'loyalty_mails_total{outcome="failed"}': '0+1x120',
      'loyalty_mails_total{outcome="sent"}': '0+1x120',
    },
  },
  {
    alert: 'LoyaltyLedgerNotWhole',
    fires: {
      'loyalty_ledger_audit_violations{instance="w"}': '2x120',
      'loyalty_ledger_audit_timestamp_seconds{instance="w"}': '0x120',
    },
    quiet: {
      'loyalty_ledger_audit_violations{instance="w"}': '0x120',
      'loyalty_ledger_audit_timestamp_seconds{instance="w"}': '0x120',
    },
  },
  {
    alert: 'LoyaltyLedgerAuditOld',
    fires: { loyalty_ledger_audit_timestamp_seconds: '0x200' },
    quiet: { loyalty_ledger_audit_timestamp_seconds: '0+600x200' },
    minutes: 1_900,
  },
  {
    alert: 'LoyaltyLedgerNotAudited',
    fires: { 'loyalty_process_info{service="worker"}': '1x330' },
    quiet: { loyalty_ledger_audit_timestamp_seconds: '0x330' },
    minutes: 3_200,
  },
];

it('every alert has a test of its own', () => {
  const alerts = [...readFileSync(ALERTS, 'utf8').matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  const inWords = [...readFileSync(IN_WORDS, 'utf8').matchAll(/alertname: (\w+)/g)];
  const tested = new Set([...CASES.map(({ alert }) => alert), ...inWords.map(([, name]) => name)]);
  expect(alerts.length).toBeGreaterThan(30);
  expect(alerts.filter((name) => name === undefined || !tested.has(name))).toEqual([]);
});

it.each([
  ['1m', CASES.filter(({ minutes = 60 }) => minutes < LONG_MINUTES)],
  ['10m', CASES.filter(({ minutes = 60 }) => minutes >= LONG_MINUTES)],
] as const)(
  'each fires when it should, and not a little below (%s)',
  { ...needs('promtool'), timeout: 180_000 },
  (interval, cases) => {
    const tests = cases.flatMap(({ alert, fires, quiet, minutes = 60 }) =>
      [fires, quiet].map((series) => ({
        name: `${alert} ${series === fires ? 'fires' : 'is quiet'}`,
        interval,
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
            eval_time: `${minutes}m`,
            exp_samples: series === fires ? [{ labels: '{}', value: 1 }] : [],
          },
        ],
      })),
    );
    const file = join(folder, `${interval}.json`);
    const content = { rule_files: [ALERTS], evaluation_interval: interval, tests };
    writeFileSync(file, JSON.stringify(content));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], {
      encoding: 'utf8',
    });
    expect(status, stdout + stderr).toBe(0);
  },
);
