import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removePidFile, stopLeftBehind, writePidFile } from './pid-file.ts';
import { type ServerProcess, type StopSteps, startServer, untilReady } from './processes.ts';

export type Service = 'api' | 'worker';

const READY = { api: 'API ready', worker: 'Worker ready' } as const;

// The service completes its current work within its own grace period, which is shorter.
const STOP: StopSteps = [
  { signal: 'SIGTERM', waitMs: 45_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

/** As the scripts of package.json start them. */
const TYPESCRIPT = new URL('../../typescript.js', import.meta.url).href;

/**
 * Starts the API or the worker as a separate process, as in production, and returns once it logs
 * that it is ready.
 */
export async function startService(options: {
  service: Service;
  dir: string;
  env: NodeJS.ProcessEnv;
}): Promise<ServerProcess & { end(): Promise<void> }> {
  const { service, dir } = options;
  const entry = entryOf(service);
  const pidFile = pidFileOf(service, dir);
  await mkdir(join(dir, 'logs'), { recursive: true, mode: 0o700 });
  const running = await startServer({
    command: process.execPath,
    args: ['--import', TYPESCRIPT, entry],
    logFile: join(dir, 'logs', `${service}.log`),
    signalAtExit: 'SIGTERM',
    env: options.env,
  });
  writePidFile(pidFile, running.pid);
  const end = async () => {
    await running.stop(STOP);
    removePidFile(pidFile);
  };
  const failure = await untilReady(running, () => running.hasLogged(READY[service]));
  if (failure === undefined) return { ...running, end };
  await end();
  throw new Error(
    `The ${service} did not start (${failure}). Its last lines:\n${running.logTail()}`,
  );
}

/** Stops the API and the worker that a killed start left behind, to free their ports. */
export async function stopServicesLeftBehind(dir: string): Promise<Service[]> {
  const stopped: Service[] = [];
  for (const service of ['api', 'worker'] as const) {
    const pid = await stopLeftBehind(pidFileOf(service, dir), entryOf(service), STOP);
    if (pid !== undefined) stopped.push(service);
  }
  return stopped;
}

function entryOf(service: Service): string {
  return fileURLToPath(new URL(`../../${service}/main.ts`, import.meta.url));
}

function pidFileOf(service: Service, dir: string): string {
  return join(dir, `${service}.pid`);
}
