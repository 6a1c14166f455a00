import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort } from '../../../sandbox/processes/ports.ts';

test('returns the preferred port when nothing listens there', async () => {
  const port = await freePort();

  expect(await freePort(port)).toBe(port);
});

test.each(['127.0.0.1', '0.0.0.0'])('returns another port when %s listens there', async (host) => {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  const busy = address !== null && typeof address === 'object' ? address.port : 0;

  const port = await freePort(busy);

  expect(port).toBeGreaterThan(0);
  expect(port).not.toBe(busy);
  server.close();
});

test('returns a hundred different ports to a hundred concurrent callers', async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, () => freePort()));

  expect(new Set(ports).size).toBe(100);
});

test('returns none that an outgoing connection may take before the caller listens', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));

  // From there on, and macOS far above: net.ipv4.ip_local_port_range in Linux's ip-sysctl.
  expect(Math.max(...ports)).toBeLessThan(32_768);
});
