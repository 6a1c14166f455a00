import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { removePidFile, stopLeftBehind, writePidFile } from './pid-file.ts';
import { type ServerProcess, type StopSteps, startServer } from './processes.ts';

export type Service = 'api' | 'worker';

const READY_WITHIN_MS = 60_000;
const POLL_MS = 25;

// The service finishes what it has in hand within its own grace period, which is shorter.
const STOP: StopSteps = [
  { signal: 'SIGTERM', waitMs: 45_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

/**
 * Starts the API or the worker as a process of its own, exactly as one would run it for real, and
 * returns once it says that it is ready. One left behind by a killed start is stopped first.
 */
export async function startService(options: {
  service: Service;
  dir: string;
  env: NodeJS.ProcessEnv;
}): Promise<ServerProcess & { end(): Promise<void> }> {
  const entry = fileURLToPath(new URL(`../${options.service}/main.ts`, import.meta.url));
  const pidFile = join(options.dir, `${options.service}.pid`);
  await stopLeftBehind(pidFile, entry, STOP);

  const running = await startServer({
    command: process.execPath,
    args: ['--import', import.meta.resolve('tsx'), entry],
    logFile: join(options.dir, 'logs', `${options.service}.log`),
    signalAtExit: 'SIGTERM',
    env: options.env,
  });
  writePidFile(pidFile, running.pid);
  const end = async () => {
    await running.stop(STOP);
    removePidFile(pidFile);
  };
  await untilReady(options.service, running).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  return { ...running, end };
}

const READY = { api: 'API ready', worker: 'Worker ready' } as const;

async function untilReady(service: Service, running: ServerProcess): Promise<void> {
  let ended: string | undefined;
  void running.exited.then((reason) => {
    ended = reason;
  });
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    if (running.logTail().includes(READY[service])) return;
    if (ended !== undefined) break;
  }
  const reason = ended ?? `not ready within ${READY_WITHIN_MS / 1000} s`;
  throw new Error(
    `The ${service} did not start (${reason}). Its last lines:\n${running.logTail()}`,
  );
}
