import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Runtime } from '@temporalio/worker';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import {
  connectTemporal,
  connectUntilAborted,
  followApiKey,
  installTemporalRuntime,
} from '../../../gateways/temporal/connection.ts';

const lines: string[] = [];
const log = createLogger(
  { level: 'info', service: 'test' },
  { write: (line) => void lines.push(line) },
);
// It must run once in a process and before the rest of the SDK; this file has its own process.
installTemporalRuntime(log);

describe('installTemporalRuntime', () => {
  it('sends the log lines of the SDK to our log, with their level and metadata', async () => {
    const { logger } = Runtime.instance();
    logger.warn('A worker is slow', { taskQueue: 'loyalty' });
    logger.debug('Too quiet to be heard');
    logger.error('It stopped');
    // The SDK sorts its lines before it writes them.
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(2);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 40,
        service: 'test',
        event: 'temporal_sdk',
        msg: 'A worker is slow',
        taskQueue: 'loyalty',
      },
      { level: 50, msg: 'It stopped' },
    ]);
  });

  it('logs an error of the SDK without the row that Postgres quotes', async () => {
    lines.length = 0;
    const error = Object.assign(new Error('duplicate key value violates a constraint'), {
      code: '23505',
      detail: 'Key (email)=(ada@example.com) already exists.',
      where: 'JSON data, line 1: {"email":"ada@example.com"}',
    });
    Runtime.instance().logger.warn('Activity failed', { error, activityType: 'sendInvite' });
    await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      activityType: 'sendInvite',
      err: { message: error.message, code: '23505', stack: expect.any(String) },
    });
    expect(lines[0]).not.toContain('ada@example.com');
  });

  it('does not handle signals', () => {
    const before = process.listenerCount('SIGTERM');
    expect(Runtime.instance()).toBeDefined();
    expect(process.listenerCount('SIGTERM')).toBe(before);
    expect(process.listenerCount('SIGINT')).toBe(0);
  });
});

describe('connectTemporal', () => {
  it('connects to a server', async () => {
    const connection = await connectTemporal({ address: inject('temporalAddress'), tls: false });
    const { serverVersion } = await connection.workflowService.getSystemInfo({});
    expect(serverVersion).toMatch(/^\d/);
    await connection.close();
  });

  it('throws when nothing listens', async () => {
    const address = await aFreePort();
    await expect(connectTemporal({ address, tls: false })).rejects.toThrow();
  });

  it('throws when TLS is wanted and the server does not support it', async () => {
    const address = inject('temporalAddress');
    await expect(connectTemporal({ address, tls: true, apiKey: 'key' })).rejects.toThrow();
  });
});

describe('connectUntilAborted', () => {
  it('says why it cannot connect, once, and goes on until it is told to stop', async () => {
    lines.length = 0;
    const address = await aFreePort();
    const stop = new AbortController();
    const connecting = connectUntilAborted({ address, tls: false }, log, stop.signal);
    const logged = () => lines.filter((line) => line.includes('temporal_unreachable'));
    await expect.poll(logged, { timeout: 10_000 }).toHaveLength(1);
    const { err } = JSON.parse(logged()[0] ?? '');
    expect(err.message).toMatch(/connect|refused|transport/i);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(logged()).toHaveLength(1);
    stop.abort();
    expect(await connecting).toBeUndefined();
  });

  it('takes the key that has replaced one that is refused', async () => {
    const { settings, keys, end } = await aServerOf({ refused: 'first' });
    const stop = new AbortController();
    const connecting = connectUntilAborted(settings, log, stop.signal);
    await expect.poll(() => keys.at(-1), { timeout: 5_000 }).toBe('Bearer first');
    await writeFile(settings.apiKeyFile, 'second\n');
    const connection = await connecting;
    expect(keys.at(-1)).toBe('Bearer second');
    stop.abort();
    await connection?.close();
    await end();
  });
});

/** A server that refuses a key, a file with the key `first`, and with what it was called. */
async function aServerOf({ refused }: { refused?: string } = {}) {
  const keys: unknown[] = [];
  const server = createHttp2Server().on('stream', (stream, headers) => {
    keys.push(headers.authorization);
    const status = headers.authorization === `Bearer ${refused}` ? UNAUTHENTICATED : OK;
    stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': status }));
    stream.end(AN_EMPTY_MESSAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'loyalty-key-'));
  const apiKeyFile = join(folder, 'key');
  await writeFile(apiKeyFile, 'first');
  const address = `127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}`;
  const end = async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { settings: { address, tls: false, apiKey: 'first', apiKeyFile }, keys, end };
}

const OK = '0';
const UNAUTHENTICATED = '16';

describe('followApiKey', () => {
  it('calls with a key that replaces the one in its file, and keeps it without one', async () => {
    const { settings, keys, end } = await aServerOf();
    const { apiKeyFile } = settings;
    const connection = await connectTemporal(settings);
    const stop = new AbortController();
    followApiKey(connection, settings, log, { signal: stop.signal, everyMs: 20 });
    const keyOfACall = async () => {
      await connection.workflowService.getClusterInfo({}).catch(() => undefined);
      return keys.at(-1);
    };
    expect(await keyOfACall()).toBe('Bearer first');
    await writeFile(apiKeyFile, '');
    await writeFile(apiKeyFile, 'second\n');
    await expect.poll(keyOfACall, { timeout: 5_000 }).toBe('Bearer second');
    await rm(apiKeyFile);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await keyOfACall()).toBe('Bearer second');
    stop.abort();
    await connection.close();
    await end();
  });
});

/** As gRPC frames it: not compressed, of no bytes. */
const AN_EMPTY_MESSAGE = Buffer.alloc(5);

/** An address on which nothing listens any more. */
async function aFreePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${address.port}`;
}
