import { afterEach, describe, expect, it } from 'vitest';
import { type MetricsPort, openMetricsPort } from '../../../api/metrics/server.ts';
import { freePort, isListening } from '../../../sandbox/processes/ports.ts';

let opened: MetricsPort | undefined;
afterEach(() => opened?.close());

async function open(metrics: () => Promise<string> = async () => 'one 1\n') {
  const port = await freePort();
  opened = await openMetricsPort({ host: '127.0.0.1', port, metrics: { metrics } });
  return port;
}

describe('openMetricsPort', () => {
  it('200 with the metrics, as Prometheus reads them, and 404 elsewhere', async () => {
    const port = await open();
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect([response.status, await response.text()]).toEqual([200, 'one 1\n']);
    expect((await fetch(`http://127.0.0.1:${port}/api/v1/auth/me`)).status).toBe(404);
  });

  it('500 when they cannot be had, without saying why, and serves on', async () => {
    const port = await open(() => Promise.reject(new Error('secret')));
    for (let nth = 0; nth < 2; nth++) {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      expect(response.status).toBe(500);
      expect(await response.text()).not.toContain('secret');
    }
  });

  it('listens on nothing where no port is wanted', async () => {
    const metrics = { metrics: async () => '' };
    opened = await openMetricsPort({ host: '127.0.0.1', port: undefined, metrics });
    await opened.close();
  });

  it('rejects when the port is taken; closed, it is free', async () => {
    const port = await open();
    const metrics = { metrics: async () => '' };
    const again = openMetricsPort({ host: '127.0.0.1', port, metrics });
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await opened?.close();
    opened = undefined;
    expect(await isListening(port)).toBe(false);
  });
});
