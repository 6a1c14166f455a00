import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { UNPROVEN_AT_ONCE, WEBHOOK_ROOM_BYTES } from '../../../../api/http/access/admission.ts';
import { type Route, route } from '../../../../api/http/route.ts';
import { Refusal } from '../../../../domain/errors.ts';
import { type Served, serveRoutes } from '../../../support/http/serve-routes.ts';

const MIB = 1024 * 1024;

let release = (): void => undefined;
const untilReleased = () =>
  new Promise<void>((resolve) => {
    release = resolve;
  });
let held: Promise<void>;

const routes: Route[] = [
  route({
    method: 'POST',
    path: '/pictures',
    access: 'public',
    atOnce: 2,
    summary: 'Waits',
    handle: () => held,
  }),
  route({
    method: 'POST',
    path: '/hooks',
    access: 'signed-webhook',
    summary: 'Takes an event',
    handle: () => ({}),
  }),
];

const known = route({
  method: 'POST',
  path: '/known',
  access: 'signed-webhook',
  summary: 'Takes an event',
  sender: () => 'known',
  handle: () => ({}),
});

const unproven = route({
  method: 'POST',
  path: '/unproven',
  access: 'signed-webhook',
  summary: 'Takes a handshake',
  sender: () => ({
    atMost: 100,
    refuse() {
      throw new Refusal('UNAUTHORIZED', 'Prove who you are.');
    },
  }),
  handle: () => ({}),
});

let served: Served;
const sockets: Socket[] = [];
afterEach(async () => {
  release();
  for (const socket of sockets.splice(0)) socket.destroy();
  await served.close();
});

const post = async (path: string, body = '{}') => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${served.url}/api/v1${path}`, { method: 'POST', headers, body });
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
};

/** Begins to send an event of that size, and stops before its last byte. */
function beginEvent(bytes: number, path = 'hooks'): Socket {
  const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
  socket.write(`POST /api/v1/${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`);
  socket.write(Buffer.alloc(bytes - 1));
  sockets.push(socket);
  return socket;
}

const large = 'x'.repeat(400_000);

/**
 * Begins events until no large one finds room. Those that meet a full room are refused, and give
 * back what they had taken, as many at once as there happen to be: so others have to follow.
 */
async function fillRoom(): Promise<void> {
  for (let nth = 0; nth < WEBHOOK_ROOM_BYTES / MIB; nth++) beginEvent(MIB);
  const refused = async () => {
    beginEvent(MIB);
    return (await post('/hooks', large)).status;
  };
  await expect.poll(refused, { timeout: 10_000 }).toBe(503);
}

describe('a route that serves two requests at a time', () => {
  it('429 with Retry-After for the third, until one of them is done', async () => {
    held = untilReleased();
    served = await serveRoutes(routes);
    const first = [post('/pictures'), post('/pictures')];
    await expect.poll(() => post('/pictures')).toEqual({ status: 429, retryAfter: '1' });
    release();
    for (const { status } of await Promise.all(first)) expect(status).toBeLessThan(300);
    expect((await post('/pictures')).status).toBeLessThan(300);
  });

  it('takes the place of a refused request back', async () => {
    held = Promise.resolve();
    served = await serveRoutes(routes);
    for (let nth = 0; nth < 4; nth++) expect((await post('/pictures', '{')).status).toBe(400);
    expect((await post('/pictures')).status).toBeLessThan(300);
  });
});

describe('large webhooks', () => {
  it('503 with Retry-After once 32 MiB of them are being read, and small ones pass', async () => {
    served = await serveRoutes(routes);
    await fillRoom();
    expect(await post('/hooks', large)).toEqual({ status: 503, retryAfter: '5' });
    expect((await post('/hooks', 'x'.repeat(60_000))).status).toBe(200);

    for (const socket of sockets.splice(0, 2)) socket.destroy();
    await expect.poll(async () => (await post('/hooks', large)).status).toBe(200);
  });

  it('count by what has come of them, whatever they say, also in chunks', async () => {
    served = await serveRoutes(routes);
    // Announced, they would fill the room twice.
    for (let nth = 0; nth < 64; nth++) {
      const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
      const size = nth % 2 === 0 ? `Content-Length: ${MIB}` : 'Transfer-Encoding: chunked';
      socket.write(`POST /api/v1/hooks HTTP/1.1\r\nHost: x\r\n${size}\r\n\r\n`);
      sockets.push(socket);
    }
    expect((await post('/hooks', 'x'.repeat(500_000))).status).toBe(200);
    const body = new Blob(['x'.repeat(500_000)]).stream();
    const init = { method: 'POST', body, duplex: 'half' } as const;
    expect((await fetch(`${served.url}/api/v1/hooks`, init)).status).toBe(200);
  });

  it('of a sender that is known are not counted', async () => {
    served = await serveRoutes([...routes, known]);
    await fillRoom();
    expect((await post('/hooks', large)).status).toBe(503);
    expect((await post('/known', large)).status).toBe(200);
  });
});

describe('webhooks of senders who prove nothing', () => {
  it('are waited for a few at a time, however slowly they come; others pass', async () => {
    served = await serveRoutes([...routes, known, unproven]);
    expect((await post('/unproven')).status).toBe(200);
    for (let nth = 0; nth < UNPROVEN_AT_ONCE; nth++) beginEvent(50, 'unproven');
    await expect.poll(async () => (await post('/unproven')).status).toBe(503);
    expect((await post('/known')).status).toBe(200);
    expect((await post('/hooks')).status).toBe(200);
    for (const socket of sockets.splice(0, 1)) socket.destroy();
    await expect.poll(async () => (await post('/unproven')).status).toBe(200);
  });
});
