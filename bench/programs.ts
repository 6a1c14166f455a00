import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inherited } from '../sandbox/processes/inherited.ts';
import { freePort, isListening } from '../sandbox/processes/ports.ts';
import { stopProcess } from '../sandbox/processes/processes.ts';
import { heapLimits } from './production-node.ts';
import { serviceEnvironment } from './settings.ts';

/** Memory of the containers in MiB, as docker-compose.yml limits it. */
export const CONTAINERS = { api: 512, worker: 768 } as const;

/** A child process that runs a TypeScript file. */
export type Program = {
  name: string;
  pid: number;
  child: ChildProcess;
  /** Stops it gracefully. */
  stop(): Promise<void>;
  /** Kills it, as a crash would. */
  kill(): Promise<void>;
};

export type Server = Program & { port: number };

/** What programs are started on: where they log, and who stops them and learns of their end. */
export type Ground = {
  /** Logs and data; removed at the end. */
  folder: string;
  /** Registers a clean-up that runs when the testbed is closed, in reverse order. */
  onClose(cleanUp: () => Promise<void>): void;
  /** Aborts the benchmark with this error. */
  fail(error: Error): void;
};

/** Which service runs, and how. */
export type Setting = {
  env?: Record<string, string>;
  /** The folder of another release's sources; this checkout by default. */
  release?: string | undefined;
};

type ServiceOptions = Setting & {
  databaseUrl: string;
  temporalAddress: string;
  name?: string;
  /** Of the API; a free one by default. */
  port?: number;
};

const CHECKOUT = new URL('../', import.meta.url);
const API = new URL('../api/main.ts', import.meta.url);
const WORKER = new URL('../worker/main.ts', import.meta.url);
const MIGRATION = new URL('../db/migrate-main.ts', import.meta.url);

const STOP_STEPS = [
  { signal: 'SIGTERM', waitMs: 30_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;
const READY_WITHIN_MS = 180_000;
const LOG_TAIL_CHARACTERS = 2_000;

/**
 * Runs the file in a child process, on the Node of this process and with its loader, if any. Its
 * heap is limited as in a container, of the API's size by default. The child writes its output to a
 * log in the folder of the testbed and is stopped with the testbed. A process that exits by itself
 * fails the benchmark.
 */
export function startProgram(
  testbed: Ground,
  file: URL,
  options: {
    name: string;
    args?: readonly string[];
    env?: Record<string, string>;
    containerMib?: number;
  },
): Program {
  const heap = heapLimits(options.containerMib ?? CONTAINERS.api);
  const logFile = join(testbed.folder, `${options.name}.log`);
  const log = openSync(logFile, 'a');
  const child = fork(fileURLToPath(file), [...(options.args ?? [])], {
    env: options.env ?? inherited(),
    execArgv: [...process.execArgv, ...heap, ...profilerOf()],
    // Ctrl-C must reach only the benchmark, which then stops its children in reverse order.
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${options.name} could not be started`);

  let isWanted = true;
  child.once('exit', (code, signal) => {
    if (!isWanted) return;
    const tail = readFileSync(logFile, 'utf8').slice(-LOG_TAIL_CHARACTERS);
    testbed.fail(new Error(`${options.name} exited unexpectedly (${signal ?? code}):\n${tail}`));
  });
  const end = async (steps: Parameters<typeof stopProcess>[1]) => {
    isWanted = false;
    if (child.exitCode === null && child.signalCode === null) await stopProcess(pid, steps);
  };
  const stop = () => end(STOP_STEPS);
  testbed.onClose(stop);
  return {
    name: options.name,
    pid,
    child,
    stop,
    kill: () => end([{ signal: 'SIGKILL', waitMs: 5_000 }]),
  };
}

/** Starts the API and waits until it listens. Without Temporal its events stay in the table. */
export async function startApi(testbed: Ground, options: ServiceOptions): Promise<Server> {
  const { port = await freePort() } = options;
  const env = { ...serviceEnvironment({ ...options, port }), ...options.env };
  const program = startProgram(testbed, fileOf(API, options), {
    name: options.name ?? 'api',
    env,
  });
  return listening(program, port);
}

/** Starts the worker and waits until it has logged that it is ready. */
export async function startWorker(testbed: Ground, options: ServiceOptions): Promise<Program> {
  const { name = 'worker' } = options;
  // At this level the worker logs that it is ready, and nothing while it works.
  const env = { ...serviceEnvironment(options), LOG_LEVEL: 'info', ...options.env };
  const program = startProgram(testbed, fileOf(WORKER, options), {
    name,
    env,
    containerMib: CONTAINERS.worker,
  });
  await untilLogged(testbed, program, 'Worker ready');
  return program;
}

/** The same file in the folder of another release, if one is given. */
function fileOf(file: URL, { release }: Setting): URL {
  if (release === undefined) return file;
  return new URL(file.href.slice(CHECKOUT.href.length), pathToFileURL(`${release}/`));
}

/** Migrates a database, with the migrations of another release if one is given. */
export function runMigration(
  testbed: Ground,
  { databaseUrl, release }: Pick<ServiceOptions, 'databaseUrl' | 'release'>,
): Promise<void> {
  const env = { ...inherited(), DATABASE_URL: databaseUrl };
  return runProgram(testbed, fileOf(MIGRATION, { release }), { name: 'migrate', env });
}

/** Runs a program to its end. Throws with the end of its log unless it succeeds. */
async function runProgram(
  testbed: Ground,
  file: URL,
  { name, env }: { name: string; env: Record<string, string> },
): Promise<void> {
  const logFile = join(testbed.folder, `${name}.log`);
  const log = openSync(logFile, 'a');
  const child = fork(fileURLToPath(file), [], {
    env,
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  testbed.onClose(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  });
  const [code]: unknown[] = await once(child, 'exit');
  if (code !== 0) {
    const tail = readFileSync(logFile, 'utf8').slice(-LOG_TAIL_CHARACTERS);
    throw new Error(`${name} failed:\n${tail}`);
  }
}

/** Starts one of the servers of `server-main.ts` and waits until it listens. */
export async function startBenchServer(
  testbed: Ground,
  kind: 'one-insert' | 'bare' | 'without-temporal',
  databaseUrl: string,
): Promise<Server> {
  const port = await freePort();
  const program = startProgram(testbed, new URL('./server-main.ts', import.meta.url), {
    name: kind,
    args: [kind, String(port), databaseUrl],
  });
  return listening(program, port);
}

/** Resolves to the next message of the process. */
export async function messageFrom({ child }: Program): Promise<unknown> {
  const [message]: unknown[] = await once(child, 'message');
  return message;
}

/** Waits until something listens at the port of the program. */
export async function listening(program: Program, port: number): Promise<Server> {
  await until(program, () => isListening(port));
  return { ...program, port };
}

async function untilLogged({ folder }: Ground, program: Program, text: string): Promise<void> {
  const file = join(folder, `${program.name}.log`);
  await until(program, async () => readFileSync(file, 'utf8').includes(text));
}

async function until(program: Program, isReady: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(20)) {
    if (await isReady()) return;
  }
  throw new Error(`${program.name} was not ready within ${READY_WITHIN_MS / 1000} s`);
}

/** BENCH_PROFILE names a folder for the CPU profiles of the processes that stop gracefully. */
function profilerOf(): string[] {
  const folder = process.env.BENCH_PROFILE;
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
}
