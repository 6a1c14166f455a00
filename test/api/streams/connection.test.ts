import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Connection, createConnection } from '../../../api/streams/connection.ts';
import type { StreamEnd } from '../../../gateways/telemetry/metrics-streams.ts';

const SOON = { timeout: 10_000, interval: 10 };

let server: Server;
let client: Socket;
let response: ServerResponse;
let received = '';
const ends: StreamEnd[] = [];
beforeEach(async () => {
  received = '';
  ends.length = 0;
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
  client.on('data', (data) => {
    received += data;
  });
  client.on('error', () => undefined);
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [, arrived] = await once(server, 'request');
  response = arrived;
});
afterEach(async () => {
  client.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const create = (): Connection =>
  createConnection({ retryMs: 1_000, onEnd: (reason) => ends.push(reason) });
const anEvent = (data = '{}') => ({ id: 'a.b.c', event: 'wallet', data });

describe('the connection of a stream', () => {
  it('sends what came before it was attached, and then each event', async () => {
    const connection = create();
    connection.send([anEvent('1')]);
    connection.attach(response);
    connection.send([anEvent('2')]);
    connection.keepAlive('d.e.f');
    connection.end('draining');
    await expect.poll(() => received, SOON).toContain('\r\n0\r\n\r\n');
    const text = received.replaceAll(/\r\n[0-9a-f]+\r\n/g, '');
    expect(text).toContain('retry: 1000\n\n');
    expect(text).toContain('id: a.b.c\nevent: wallet\ndata: 1\n\n');
    expect(text).toContain('id: a.b.c\nevent: wallet\ndata: 2\n\n');
    expect(text).toContain(': keep-alive\nid: d.e.f\n\n');
    expect(connection.sent()).toBe(2);
    expect(ends).toEqual(['draining']);
  });

  it('cuts off a client that does not read, instead of keeping its events', async () => {
    const connection = create();
    connection.attach(response);
    client.pause();
    const megabyte = anEvent(JSON.stringify('x'.repeat(1024 * 1024)));
    for (let nth = 0; nth < 100 && ends.length === 0; nth++) {
      connection.send([megabyte]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(ends).toEqual(['slow_reader']);
    expect(response.destroyed).toBe(true);
    connection.send([megabyte]);
    expect(ends).toEqual(['slow_reader']);
  });

  it('ends once when the client leaves', async () => {
    const connection = create();
    connection.attach(response);
    client.destroy();
    await expect.poll(() => ends, SOON).toEqual(['client_left']);
    connection.end('draining');
    expect(ends).toEqual(['client_left']);
  });

  it('ends when the client has left before it was attached', async () => {
    const connection = create();
    client.destroy();
    await once(response, 'close');
    connection.attach(response);
    expect(ends).toEqual(['client_left']);
  });

  it('answers a stream that has ended before it was attached', async () => {
    const connection = create();
    connection.end('draining');
    connection.attach(response);
    await expect.poll(() => received, SOON).toContain('200 OK');
    expect(ends).toEqual(['draining']);
  });
});
