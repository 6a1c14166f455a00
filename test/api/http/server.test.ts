import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Koa from 'koa';
import { describe, expect, it } from 'vitest';
import { serve } from '../../../api/http/server.ts';

/** An app whose requests hang until they are released. */
function hangingApp() {
  const app = new Koa();
  app.silent = true;
  const events = new EventEmitter();
  app.use(async (ctx) => {
    if (ctx.path === '/hang') {
      const go = once(events, 'go');
      events.emit('arrived');
      await go;
    }
    ctx.body = 'done';
  });
  return { app, arrived: once(events, 'arrived'), release: () => events.emit('go') };
}

async function idleConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  return socket;
}

describe('serve', () => {
  it('rejects when the port is taken', async () => {
    const { app } = hangingApp();
    const listening = await serve(app, { host: '127.0.0.1', port: 0 });
    const again = serve(app, { host: '127.0.0.1', port: listening.port });
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await listening.close(0);
  });
});

describe('close', () => {
  it('waits for a running request and for nothing else', async () => {
    const { app, arrived, release } = hangingApp();
    const { port, close } = await serve(app, { host: '127.0.0.1', port: 0 });
    const idle = await idleConnection(port);
    const idleClosed = once(idle, 'close');
    const running = fetch(`http://127.0.0.1:${port}/hang`);
    await arrived;

    const closing = close(60_000);
    await idleClosed;
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    release();
    expect(await (await running).text()).toBe('done');
    await closing;
  });

  it('serves idle connections a while longer, each response saying that it closes', async () => {
    const { app, arrived, release } = hangingApp();
    const { port, close } = await serve(app, { host: '127.0.0.1', port: 0 });
    const idle = await idleConnection(port);
    const running = fetch(`http://127.0.0.1:${port}/hang`);
    await arrived;

    const closing = close(60_000);
    const idleClosed = once(idle, 'close');
    idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [answer] = await once(idle, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*connection: close\r\n.*done$/is);
    await idleClosed;
    release();
    const answered = await running;
    expect(answered.headers.get('connection')).toBe('close');
    expect(await answered.text()).toBe('done');
    await closing;
  });

  it('cuts off requests that are not done in time', async () => {
    const { app, arrived, release } = hangingApp();
    const { port, close } = await serve(app, { host: '127.0.0.1', port: 0 });
    const running = fetch(`http://127.0.0.1:${port}/hang`);
    await arrived;
    const cutOff = expect(running).rejects.toThrow();
    await close(0);
    await cutOff;
    release();
  });

  it('can be called more than once', async () => {
    const { app, arrived, release } = hangingApp();
    const { port, close } = await serve(app, { host: '127.0.0.1', port: 0 });
    const running = fetch(`http://127.0.0.1:${port}/hang`);
    await arrived;
    const closings = [close(60_000), close(60_000)];
    release();
    expect(await (await running).text()).toBe('done');
    await Promise.all(closings);
    await close(60_000);
  });
});
