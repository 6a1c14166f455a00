import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, isListening } from '../../sandbox/processes/ports.ts';
import { startServer } from '../../sandbox/processes/processes.ts';
import { versionOf } from '../../sandbox/processes/versions.ts';
import type { Testbed } from '../testbed.ts';

export type Redis = { port: number; pid: number };

const COMMAND = 'redis-server';
const READY_WITHIN_MS = 10_000;

/** Whether this machine has a `redis-server` on its PATH. */
export async function hasRedis(): Promise<boolean> {
  return (await versionOf(COMMAND)) !== undefined;
}

/**
 * Starts a Redis that writes every change to disk before it answers, as Postgres does, and keeps
 * all it holds. It is stopped with the testbed.
 */
export async function startRedis(testbed: Testbed): Promise<Redis> {
  const port = await freePort();
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: testbed.folder,
    save: '',
    appendonly: 'yes',
    appendfsync: 'always',
    'maxmemory-policy': 'noeviction',
  };
  const server = await startServer({
    command: COMMAND,
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    logFile: join(testbed.folder, 'redis.log'),
    signalAtExit: 'SIGTERM',
  });
  testbed.onClose(() => server.stop([{ signal: 'SIGTERM', waitMs: READY_WITHIN_MS }]));
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(20)) {
    if (await isListening(port)) return { port, pid: server.pid };
  }
  throw new Error(`${COMMAND} did not start:\n${server.logTail()}`);
}
