import { afterEach, describe, expect, it } from 'vitest';
import type { Metrics } from '../../gateways/telemetry/metrics.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import { type Health, openHealth } from '../../worker/health.ts';

let health: Health | undefined;
afterEach(async () => {
  await health?.close();
  health = undefined;
});

async function open(metrics: Pick<Metrics, 'metrics'> = { metrics: async () => 'up 1\n' }) {
  health = await openHealth({ host: '127.0.0.1', port: await freePort(), metrics });
  return health;
}

async function get(path: string) {
  const response = await fetch(`http://127.0.0.1:${health?.port}${path}`);
  const type = response.headers.get('content-type');
  return { status: response.status, type, text: await response.text() };
}

describe('GET /health', () => {
  it('503 until the worker accepts work, 200 while it does, 503 while it drains', async () => {
    const { now } = await open();
    expect(await get('/health')).toMatchObject({ status: 503, text: '{"status":"starting"}' });
    now('running');
    expect(await get('/health')).toMatchObject({ status: 200, text: '{"status":"running"}' });
    now('draining');
    expect(await get('/health')).toMatchObject({ status: 503, text: '{"status":"draining"}' });
  });

  it('has a second address for whether the process runs at all', async () => {
    await open();
    expect(await get('/health/live')).toMatchObject({ status: 200, text: '{"status":"live"}' });
  });
});

describe('GET /metrics', () => {
  it('200 with the metrics, as Prometheus reads them', async () => {
    await open();
    expect(await get('/metrics')).toEqual({
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
      text: 'up 1\n',
    });
  });

  it('500 when the metrics cannot be gathered, and serves on', async () => {
    await open({ metrics: () => Promise.reject(new Error('secret')) });
    const { status, text } = await get('/metrics');
    expect(status).toBe(500);
    expect(text).not.toContain('secret');
    expect((await get('/health')).status).toBe(503);
  });
});

describe('openHealth', () => {
  it('answers 404 elsewhere', async () => {
    await open();
    expect((await get('/healthz')).status).toBe(404);
  });

  it('listens on nothing without a port', async () => {
    const metrics = { metrics: async () => '' };
    health = await openHealth({ host: '127.0.0.1', port: undefined, metrics });
    health.now('running');
    expect(health.port).toBeUndefined();
  });

  it('rejects when the port is taken', async () => {
    const { port } = await open();
    const again = openHealth({ host: '127.0.0.1', port, metrics: { metrics: async () => '' } });
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
