import { afterEach, describe, expect, it } from 'vitest';
import {
  type MetricsServer,
  openMetricsServer,
} from '../../../gateways/telemetry/metrics-server.ts';
import { freePort, isListening } from '../../../sandbox/processes/ports.ts';

let opened: MetricsServer | undefined;
afterEach(() => opened?.close());

type Options = Pick<Parameters<typeof openMetricsServer>[0], 'health'> & {
  metrics?: () => Promise<string>;
};

async function open({ metrics = async () => 'one 1\n', health }: Options = {}) {
  const port = await freePort();
  opened = await openMetricsServer({
    host: '127.0.0.1',
    port,
    metrics: { metrics },
    ...(health && { health }),
  });
  return port;
}

async function get(port: number, path: string) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  const type = response.headers.get('content-type');
  return { status: response.status, type, text: await response.text() };
}

const broken = () => Promise.reject(new Error('secret'));
const health = () => ({ status: 503, body: { status: 'starting' } });
const JSON_TYPE = 'application/json';

describe('openMetricsServer', () => {
  it('200 with the metrics, as Prometheus reads them, and 404 elsewhere', async () => {
    const port = await open();
    const type = 'text/plain; version=0.0.4; charset=utf-8';
    expect(await get(port, '/metrics')).toEqual({ status: 200, type, text: 'one 1\n' });
    const notFound = { status: 404, type: null, text: 'Nothing is here. Ask for /metrics.\n' };
    expect(await get(port, '/api/v1/auth/me')).toEqual(notFound);
    expect(await get(port, '/health')).toEqual(notFound);
  });

  it('500 when they cannot be gathered, without saying why, and serves on', async () => {
    const port = await open({ metrics: broken });
    const failed = { status: 500, type: null, text: 'The metrics could not be gathered.\n' };
    for (let nth = 0; nth < 2; nth++) expect(await get(port, '/metrics')).toEqual(failed);
  });

  it('serves /health if given, with errors in JSON', async () => {
    const port = await open({ metrics: broken, health });
    expect(await get(port, '/health')).toEqual({
      status: 503,
      type: JSON_TYPE,
      text: '{"status":"starting"}',
    });
    expect(await get(port, '/healthz')).toEqual({
      status: 404,
      type: JSON_TYPE,
      text: '{"error":"Nothing is here."}',
    });
    expect(await get(port, '/metrics')).toEqual({
      status: 500,
      type: JSON_TYPE,
      text: '{"error":"The metrics could not be gathered."}',
    });
  });

  it('listens on nothing without a port', async () => {
    const metrics = { metrics: async () => '' };
    opened = await openMetricsServer({ host: '127.0.0.1', port: undefined, metrics });
    await opened.close();
  });

  it('rejects when the port is taken; closed, it is free', async () => {
    const port = await open();
    const metrics = { metrics: async () => '' };
    const again = openMetricsServer({ host: '127.0.0.1', port, metrics });
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await opened?.close();
    opened = undefined;
    expect(await isListening(port)).toBe(false);
  });
});
