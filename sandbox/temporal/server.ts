import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inherited } from '../processes/inherited.ts';
import { acquireLock } from '../processes/lock-file.ts';
import { removePidFile, stopLeftBehind, writePidFile } from '../processes/pid-file.ts';
import { freePort, isListening } from '../processes/ports.ts';
import {
  type ServerProcess,
  type StopSteps,
  startServer,
  untilReady,
} from '../processes/processes.ts';
import { prepareNamespace, type SearchAttributes } from './namespace.ts';

export type TemporalOptions = {
  /** The path of the temporal program, as from `ensureTemporalCli`. */
  cli: string;
  namespace: string;
  /** Stores everything in this file; without it nothing survives the server's stop. */
  dbFile?: string;
  /** Deletes the existing data first. */
  fresh?: boolean;
  preferredPort?: number;
  ui?: boolean;
  preferredUiPort?: number;
  logFile?: string;
  searchAttributes?: SearchAttributes;
  log?: (line: string) => void;
};

export type TemporalServer = {
  /** Host and port, as clients take it. */
  address: string;
  uiUrl?: string;
  /** Undefined for a server that was not started here. */
  pid?: number;
  /** Resolves with the reason when the server ends; undefined for one not started here. */
  exited?: Promise<string>;
  /** The path of the server's program, which is also its command-line client. */
  cli?: string;
  /** Whether a server left behind by a killed process was stopped first. */
  recovered: boolean;
  stop(): Promise<void>;
};

const ATTEMPTS = 5;

const STOP: StopSteps = [
  { signal: 'SIGINT', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

/**
 * By default the server polls for work 20 times a second, which looks like latency of Temporal, and
 * allows 2,400 calls a second, which a burst of webhooks exceeds. What is searched for it polls
 * rarely: a run that has ended by then is written once instead of twice. Tasks that wait are taken
 * from one tenant after the other.
 */
export const DYNAMIC_CONFIG = {
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'history.visibilityProcessorMaxPollRPS': 5,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'matching.enableFairness': true,
  'frontend.rps': 50_000,
  'frontend.namespaceRPS': 50_000,
  'frontend.namespaceRPS.visibility': 1_000,
  'worker.schedulerNamespaceStartWorkflowRPS': 500,
};

/**
 * Starts a Temporal dev server at 127.0.0.1 and returns once it responds and has the namespace and
 * the search attributes. A server that a killed process left on the same file is stopped first;
 * throws when a running process already serves the file.
 */
export async function startTemporal(options: TemporalOptions): Promise<TemporalServer> {
  const inMemory = join(tmpdir(), `temporal-${randomBytes(6).toString('hex')}`);
  const base = options.dbFile === undefined ? inMemory : resolve(options.dbFile);
  await mkdir(dirname(base), { recursive: true });

  const lock = await acquireLock(`${base}.owner`);
  if (!lock.held) {
    throw new Error(
      `Process ${lock.by} already runs Temporal on ${base}: stop it, or use another file`,
    );
  }
  const cleanUp = async () => {
    removePidFile(`${base}.pid`);
    if (options.dbFile === undefined) await rm(`${base}.log`, { force: true });
    await lock.release();
  };
  try {
    const recovered = await stopOrphan(base, options.log);
    if (options.fresh) await removeDatabase(base);
    const { running, port, uiPort } = await serve(base, options);
    return {
      address: `127.0.0.1:${port}`,
      ...(uiPort === undefined ? {} : { uiUrl: `http://127.0.0.1:${uiPort}` }),
      pid: running.pid,
      exited: running.exited,
      recovered,
      stop: async () => {
        await running.stop(STOP);
        await cleanUp();
      },
    };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

type Serving = { running: ServerProcess; port: number; uiPort?: number };

async function serve(base: string, options: TemporalOptions): Promise<Serving> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(options.preferredPort);
    const uiPort = options.ui ? await freePort(options.preferredUiPort) : undefined;
    const running = await startServer({
      command: options.cli,
      args: await serverArgs(options, port, uiPort),
      logFile: options.logFile ?? `${base}.log`,
      signalAtExit: 'SIGINT',
      env: inherited(),
    });
    writePidFile(`${base}.pid`, running.pid);

    const failure = await untilReady(running, async () => {
      // The client would wait a second before its next attempt, longer than the server needs.
      if (!(await isListening(port))) return false;
      await prepareNamespace(`127.0.0.1:${port}`, options.namespace, options.searchAttributes);
      return true;
    });
    const ports = uiPort === undefined ? { port } : { port, uiPort };
    if (failure === undefined) return { running, ...ports };

    await running.stop(STOP);
    if (!/address already in use/.test(running.logTail()) || attempt === ATTEMPTS) {
      throw new Error(
        `Temporal did not start (${failure}). If ${base} was written by another version or is ` +
          `damaged, remove it and start over. The last log lines:\n${running.logTail()}`,
      );
    }
    await sleep(attempt * 100);
  }
}

async function serverArgs(
  { dbFile }: TemporalOptions,
  port: number,
  uiPort: number | undefined,
): Promise<string[]> {
  const dynamic = Object.entries(DYNAMIC_CONFIG);
  // Unsynchronised writes survive a kill, but not a power cut. Lasting data is in Postgres.
  const pragmas = dbFile === undefined ? [] : ['journal_mode=WAL', 'synchronous=OFF'];
  return [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    '--http-port',
    String(await freePort()),
    '--metrics-port',
    String(await freePort()),
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]),
    '--log-level',
    'warn',
    ...(dbFile === undefined ? [] : ['--db-filename', resolve(dbFile)]),
    ...pragmas.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...dynamic.flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
  ];
}

async function stopOrphan(base: string, log: TemporalOptions['log']): Promise<boolean> {
  const pid = await stopLeftBehind(`${base}.pid`, base, STOP);
  if (pid === undefined) return false;
  log?.(`Stopped Temporal (process ${pid}), which an earlier run left behind`);
  return true;
}

async function removeDatabase(base: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(`${base}${suffix}`, { force: true });
}
