import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Koa from 'koa';
import { describe, expect, it } from 'vitest';
import { SERVER_LIMITS, type ServerLimits, serve } from '../../../api/http/server.ts';

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

describe('a caller of whom nothing is known', () => {
  const HEAD = 'GET / HTTP/1.1\r\nHost: x\r\n';
  /** Serves with one limit lowered, and hands over how to connect. */
  async function limited(
    limit: Partial<ServerLimits>,
    use: (open: () => Socket) => Promise<void>,
    streams = () => 0,
  ) {
    const limits = { ...SERVER_LIMITS, ...limit };
    const at = { host: '127.0.0.1', port: 0, limits, streams };
    const { port, close } = await serve(hangingApp().app, at);
    const sockets: Socket[] = [];
    await use(() => {
      const socket = connect(port, '127.0.0.1').setEncoding('utf8');
      socket.on('error', () => undefined);
      sockets.push(socket);
      return socket;
    });
    for (const socket of sockets) socket.destroy();
    await close(0);
  }
  const statuses = (socket: Socket) => {
    let received = '';
    socket.on('data', (text) => {
      received += text;
    });
    return () => received.match(/HTTP\/1.1 \d+/g)?.map((line) => line.slice(-3)) ?? [];
  };

  it.each([
    ['headers', { headersTimeoutMs: 300 }, HEAD],
    [
      'a body',
      { headersTimeoutMs: 300, requestTimeoutMs: 300 },
      `${HEAD}Content-Length: 9\r\n\r\nx`,
    ],
  ])('gets 408 soon after the time for %s is over', async (_, limit, begun) => {
    await limited(limit, async (open) => {
      const socket = open();
      const received = statuses(socket);
      const closed = once(socket, 'close');
      socket.write(begun);
      const startedAt = performance.now();
      await closed;
      expect(received()).toContain('408');
      // Node's own interval is 30 s.
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    });
  });

  it('is closed when it is idle after a response', async () => {
    await limited({ keepAliveTimeoutMs: 200 }, async (open) => {
      const socket = open();
      const closed = once(socket, 'close');
      socket.write(`${HEAD}\r\n`);
      socket.resume();
      const startedAt = performance.now();
      await closed;
      // Node's own timeout is 5 s.
      expect(performance.now() - startedAt).toBeLessThan(4_000);
    });
  });

  it('is refused beyond the number of connections, until one closes', async () => {
    await limited({ maxConnections: 2 }, async (open) => {
      const answered = async (socket: Socket) => {
        const received = statuses(socket);
        const ended = once(socket, 'close');
        socket.write(`${HEAD}\r\n`);
        await Promise.race([ended, once(socket, 'data')]);
        return received();
      };
      const first = open();
      expect(await answered(first)).toEqual(['200']);
      expect(await answered(open())).toEqual(['200']);
      expect(await answered(open())).toEqual([]);
      first.destroy();
      await expect.poll(() => answered(open())).toEqual(['200']);
    });
  });

  it('is not refused because of open streams, whose connections come on top', async () => {
    let streams = 0;
    await limited(
      { maxConnections: 1 },
      async (open) => {
        const sent = async (socket: Socket) => {
          const ended = once(socket, 'close');
          socket.write(`${HEAD}\r\n`);
          return await Promise.race([ended.then(() => 'refused'), once(socket, 'data')]);
        };
        expect(await sent(open())).not.toBe('refused');
        expect(await sent(open())).toBe('refused');
        streams = 1;
        expect(await sent(open())).not.toBe('refused');
      },
      () => streams,
    );
  });

  it('is told to connect again after so many requests', async () => {
    await limited({ maxRequestsPerConnection: 3 }, async (open) => {
      const socket = open();
      let received = '';
      socket.on('data', (text) => {
        received += text;
      });
      socket.write(`${HEAD}\r\n`.repeat(4));
      await expect.poll(() => received.match(/^Connection: \S*/gim)?.length).toBe(4);
      expect(received.match(/HTTP\/1.1 \d+/g)?.map((line) => line.slice(-3))).toEqual([
        '200',
        '200',
        '200',
        '503',
      ]);
      expect(received.match(/^Connection: \S*/gim)?.map((line) => line.slice(12))).toEqual([
        'keep-alive',
        'keep-alive',
        'close',
        'close',
      ]);
    });
  });

  it('gets 431 for more headers than are accepted, or for larger ones', async () => {
    await limited({ maxHeaders: 10, maxHeaderBytes: 2_000 }, async (open) => {
      const headers = (count: number) => `${HEAD}${'A: b\r\n'.repeat(count - 1)}\r\n`;
      const [few, many, large] = [open(), open(), open()];
      const received = [few, many, large].map(statuses);
      few.write(headers(10));
      many.write(headers(11));
      large.write(`${HEAD}A: ${'b'.repeat(2_000)}\r\n\r\n`);
      await expect.poll(() => received.map((read) => read())).toEqual([['200'], ['431'], ['431']]);
    });
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
