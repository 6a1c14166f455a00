import { describe, expect, it } from 'vitest';
import type { Provider } from '../../../domain/payment.ts';
import { countMails } from '../../../gateways/mail/counted-mailer.ts';
import { MailError } from '../../../gateways/mail/mailer.ts';
import { countRefreshes } from '../../../gateways/providers/shared/counted-oauth.ts';
import { InvalidGrant } from '../../../gateways/providers/shared/oauth.ts';
import { callProvider } from '../../../gateways/providers/shared/request.ts';
import { createMetrics, watchPool } from '../../../gateways/telemetry/metrics.ts';
import { startHttpServer } from '../../support/http/http-server.ts';
import { labelValues, sampleNames, sampleOf } from '../../support/metric-text.ts';
import { unconfiguredOAuth } from '../../support/providers/oauth.ts';

describe('createMetrics', () => {
  it('follows the naming conventions of Prometheus', async () => {
    const text = await createMetrics('worker').metrics();
    const families = [...text.matchAll(/^# TYPE (loyalty_\w+) (\w+)$/gm)];
    expect(families.length).toBeGreaterThan(15);
    for (const [, name = '', kind] of families) {
      expect(name.endsWith('_total'), name).toBe(kind === 'counter');
      expect(name).not.toMatch(/_(ms|milliseconds|minutes)\b/);
    }
  });

  it('has no label for tenant, merchant, user or path', async () => {
    const text = await createMetrics('api').metrics();
    const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, name]) => name));
    for (const name of ['tenant', 'tenant_id', 'merchant', 'user', 'path', 'url']) {
      expect(labels).not.toContain(name);
    }
  });

  it('keeps a registry of its own', async () => {
    const [one, other] = [createMetrics('api'), createMetrics('api')];
    one.codeIssued();
    expect(sampleOf(await one.metrics(), 'loyalty_codes_issued_total')).toBe(1);
    expect(sampleOf(await other.metrics(), 'loyalty_codes_issued_total')).toBe(0);
  });

  it('tells how busy the event loop is, and samples it for nothing', async () => {
    const text = await createMetrics('api').metrics();
    expect(sampleOf(text, 'loyalty_event_loop_busy_seconds_total')).toBeGreaterThan(0);
    const lags = [...sampleNames(text)].filter((name) => name.startsWith('nodejs_eventloop_lag'));
    expect(lags).toEqual(['nodejs_eventloop_lag_seconds']);
  });

  it('names the process, and appends further metrics', async () => {
    const text = await createMetrics('worker', async () => 'temporal_things 3\n').metrics();
    expect(sampleOf(text, 'loyalty_process_info', { service: 'worker' })).toBe(1);
    expect(sampleOf(text, 'temporal_things')).toBe(3);
  });
});

describe('watch', () => {
  it('reads the value at each scrape; an unknown value is omitted rather than 0', async () => {
    const metrics = createMetrics('worker');
    let value: number | undefined;
    let parts: Record<string, number> | undefined;
    metrics.watch({ name: 'a', help: 'One.', read: () => value });
    metrics.watch({ name: 'b', help: 'Many.', label: 'part', read: async () => parts });
    const seen = async () => {
      const text = await metrics.metrics();
      return [sampleOf(text, 'a'), sampleOf(text, 'b', { part: 'x' })];
    };
    expect(await seen()).toEqual([undefined, undefined]);
    [value, parts] = [0, { x: 2 }];
    expect(await seen()).toEqual([0, 2]);
    [value, parts] = [undefined, { y: 1 }];
    expect(await seen()).toEqual([undefined, undefined]);
    expect(sampleNames(await metrics.metrics())).toContain('b');
  });

  it('shows the state of a pool', async () => {
    const metrics = createMetrics('api');
    watchPool(metrics, () => ({ used: 3, free: 1, waiting: 2, max: 10 }));
    const text = await metrics.metrics();
    expect(sampleOf(text, 'loyalty_db_pool_connections', { state: 'used' })).toBe(3);
    expect(sampleOf(text, 'loyalty_db_pool_connections', { state: 'free' })).toBe(1);
    expect(sampleOf(text, 'loyalty_db_pool_waiting')).toBe(2);
    expect(sampleOf(text, 'loyalty_db_pool_connections_max')).toBe(10);
  });
});

describe('paymentsIngested', () => {
  const payment = { provider: 'alpha', outcome: 'credited', points: 7 } as const;

  it('measures from the payment and from the webhook to the credit, never below 0', async () => {
    const metrics = createMetrics('worker');
    const ago = (ms: number) => new Date(Date.now() - ms);
    metrics.paymentsIngested('webhook', [
      { ...payment, occurredAt: ago(20_000), receivedAt: ago(2_000) },
      { ...payment, occurredAt: ago(-60_000), receivedAt: ago(-60_000) },
      { ...payment, outcome: 'duplicate', points: 0, occurredAt: ago(0), receivedAt: ago(0) },
    ]);
    const text = await metrics.metrics();
    const lag = { provider: 'alpha', source: 'webhook' };
    expect(sampleOf(text, 'loyalty_ingest_lag_seconds_count', lag)).toBe(2);
    expect(sampleOf(text, 'loyalty_ingest_lag_seconds_bucket', { ...lag, le: '0.1' })).toBe(1);
    expect(sampleOf(text, 'loyalty_ingest_lag_seconds_bucket', { ...lag, le: '10' })).toBe(1);
    expect(sampleOf(text, 'loyalty_ingest_lag_seconds_bucket', { ...lag, le: '30' })).toBe(2);
    const credit = { provider: 'alpha', le: '5' };
    expect(sampleOf(text, 'loyalty_webhook_credit_seconds_bucket', credit)).toBe(2);
    expect(sampleOf(text, 'loyalty_points_credited_total', { provider: 'alpha' })).toBe(14);
    const outcomes = { provider: 'alpha', source: 'webhook' };
    const counted = (outcome: string) =>
      sampleOf(text, 'loyalty_ingest_outcomes_total', { ...outcomes, outcome });
    expect([counted('credited'), counted('duplicate'), counted('ignored')]).toEqual([2, 1, 0]);
  });

  it('records no lag for a payment that is credited at sign-up', async () => {
    const metrics = createMetrics('worker');
    metrics.paymentsIngested('signup', [{ ...payment, occurredAt: new Date(0), receivedAt: null }]);
    const text = await metrics.metrics();
    expect(labelValues(text, 'loyalty_ingest_lag_seconds_count', 'source')).toEqual([]);
    expect(sampleOf(text, 'loyalty_points_credited_total', { provider: 'alpha' })).toBe(7);
  });
});

describe('countMails', () => {
  it.each([
    ['sent', undefined],
    ['refused', new MailError('No such address.', false)],
    ['failed', new MailError('Try again.', true)],
  ] as const)('%s', async (outcome, error) => {
    const metrics = createMetrics('worker');
    const send = async () => {
      if (error) throw error;
    };
    const mailer = countMails({ send, close: async () => {} }, metrics);
    const sending = mailer.send({
      to: 'a@b.c',
      subject: 's',
      text: 't',
      html: '<p>t</p>',
      messageId: 'm',
    });
    if (error) await expect(sending).rejects.toBe(error);
    else await sending;
    expect(sampleOf(await metrics.metrics(), 'loyalty_mails_total', { outcome })).toBe(1);
  });
});

describe('countRefreshes', () => {
  it.each([
    ['refused', new InvalidGrant('gone')],
    ['failed', new Error('away')],
  ] as const)('%s', async (outcome, error) => {
    const metrics = createMetrics('worker');
    const refresh = () => Promise.reject(error);
    const oauth = countRefreshes('beta', { ...unconfiguredOAuth.beta, refresh }, metrics);
    await expect(oauth.refresh('token')).rejects.toBe(error);
    const labels = { provider: 'beta', outcome };
    expect(sampleOf(await metrics.metrics(), 'loyalty_token_refreshes_total', labels)).toBe(1);
  });
});

describe('providerAsked', () => {
  it.each([
    [200, 'answered'],
    [404, 'absent'],
    [403, 'refused'],
    [429, 'limited'],
    [503, 'failed'],
  ])('counts status %s as %s', async (status, outcome) => {
    const server = await startHttpServer(() => ({ status, body: {} }));
    const metrics = createMetrics('worker');
    const provider: Provider = 'alpha';
    const url = new URL(server.url);
    const call = { provider, url, absent: [404], onCall: metrics.providerAsked };
    await callProvider(call).catch(() => undefined);
    await server.close();
    await callProvider(call).catch(() => undefined);
    const text = await metrics.metrics();
    const count = (of: string) =>
      sampleOf(text, 'loyalty_provider_request_duration_seconds_count', { provider, outcome: of });
    expect([count(outcome), count('unreachable')]).toEqual([1, 1]);
  });
});
