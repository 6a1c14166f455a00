import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Koa from 'koa';
import { afterEach, describe, expect, it } from 'vitest';
import { streamed } from '../../../../api/http/replies/reply.ts';
import { sendPieces } from '../../../../api/http/replies/send-pieces.ts';
import { type Listening, serve } from '../../../../api/http/server.ts';

const HEADERS = { 'Content-Type': 'text/plain' };
/** More than all buffers between the two ends hold. */
const PIECE = 'x'.repeat(1024 * 1024);
const MANY = 100;

let listening: Listening;
let made: number;
let isOver: boolean;
/** How the last request ended: with nothing, or with what was thrown. */
let ended: unknown[];
let noted: unknown[];
afterEach(() => listening.close(0));

/** Makes pieces, and fails at one of them if it is given. */
async function* pieces(number: number, failsAt = -1): AsyncGenerator<string> {
  try {
    for (let nth = 0; nth < number; nth++) {
      if (nth === failsAt) throw new Error('no database');
      made += 1;
      yield PIECE;
    }
  } finally {
    isOver = true;
  }
}

async function start(source: () => AsyncIterable<string>, stalledMs?: number): Promise<void> {
  [made, isOver, ended, noted] = [0, false, [], []];
  const app = new Koa();
  app.on('error', (error) => noted.push(error));
  app.use(async (ctx) => {
    const reply = { status: 200, headers: HEADERS, body: undefined };
    await sendPieces(ctx, reply, streamed(source(), HEADERS), stalledMs).then(
      () => ended.push(undefined),
      (error) => {
        ended.push(error);
        ctx.status = 503;
        ctx.body = 'refused';
      },
    );
  });
  listening = await serve(app, { host: '127.0.0.1', port: 0 });
}

const get = (method = 'GET') => fetch(`http://127.0.0.1:${listening.port}/`, { method });

/** Asks, and reads nothing of the answer. */
async function askAndWait() {
  const socket = connect(listening.port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}

/** Waits until no further piece is made. */
async function untilFull(): Promise<number> {
  for (let before = -1; before !== made || made === 0; ) {
    before = made;
    await sleep(200);
  }
  return made;
}

describe('sendPieces', () => {
  it('sends all pieces, in order, and resolves when they are sent', async () => {
    await start(async function* () {
      yield 'one,';
      yield '';
      yield 'two';
    });
    const response = await get();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain']);
    expect(await response.text()).toBe('one,two');
    await expect.poll(() => ended).toEqual([undefined]);
    expect(noted).toEqual([]);
  });

  it('makes no more pieces than a slow caller takes', async () => {
    await start(() => pieces(MANY));
    const socket = await askAndWait();
    const before = await untilFull();
    expect(before).toBeLessThan(MANY / 2);
    socket.resume();
    await expect.poll(() => made, { timeout: 20_000 }).toBe(MANY);
    await expect.poll(() => ended).toEqual([undefined]);
    socket.destroy();
  });

  it('makes no further piece when the caller has gone, and throws nothing', async () => {
    await start(() => pieces(MANY));
    const socket = await askAndWait();
    const before = await untilFull();
    socket.destroy();
    await expect.poll(() => ended).toEqual([undefined]);
    expect(isOver).toBe(true);
    expect(made).toBeLessThan(before + 3);
  });

  it('cuts off a caller who takes nothing for long', async () => {
    await start(() => pieces(MANY), 300);
    const socket = await askAndWait();
    await expect.poll(() => ended, { timeout: 10_000 }).toEqual([undefined]);
    expect(isOver).toBe(true);
    expect(String(noted)).toContain('took nothing');
    socket.destroy();
  });

  it('throws what fails before the first piece, so that it can still be refused', async () => {
    await start(() => pieces(3, 0));
    const response = await get();
    expect([response.status, await response.text()]).toEqual([503, 'refused']);
  });

  it('breaks the connection when a later piece fails, and throws that', async () => {
    await start(() => pieces(3, 1));
    const response = await get();
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await expect.poll(() => ended).toMatchObject([{ message: 'no database' }]);
    expect(isOver).toBe(true);
  });

  it('sends no piece to HEAD', async () => {
    await start(() => pieces(3));
    const response = await get('HEAD');
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(isOver).toBe(true);
  });
});
