import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, isListening } from '../sandbox/processes/ports.ts';
import { stopProcess } from '../sandbox/processes/processes.ts';
import { inherited, serviceEnvironment } from './settings.ts';
import type { Stage } from './stage.ts';

/** A process of its own, started from a TypeScript file. */
export type Program = {
  name: string;
  pid: number;
  child: ChildProcess;
  /** Ends it in order, or at once as a crash would. */
  stop(): Promise<void>;
  kill(): Promise<void>;
};

export type Server = Program & { port: number };

const STEPS = [
  { signal: 'SIGTERM', waitMs: 30_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const;
const READY_WITHIN_MS = 60_000;
const LOG_TAIL_CHARACTERS = 2_000;

/**
 * Starts the file in a process of its own, whose output goes to a log on the stage, and which ends
 * with the stage. A process that ends by itself fails the whole work on the stage.
 */
export function startProgram(
  stage: Stage,
  file: URL,
  options: { name: string; args?: readonly string[]; env?: Record<string, string> },
): Program {
  const logFile = join(stage.folder, `${options.name}.log`);
  const log = openSync(logFile, 'a');
  const child = fork(fileURLToPath(file), [...(options.args ?? [])], {
    env: options.env ?? inherited(),
    execArgv: ['--import', 'tsx', ...profilerOf()],
    // Ctrl-C must reach only the benchmark, which then stops the others in order.
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
    stage.fail(new Error(`${options.name} ended by itself (${signal ?? code}):\n${tail}`));
  });
  const end = async (steps: Parameters<typeof stopProcess>[1]) => {
    isWanted = false;
    if (child.exitCode === null && child.signalCode === null) await stopProcess(pid, steps);
  };
  const stop = () => end(STEPS);
  stage.atEnd(stop);
  return {
    name: options.name,
    pid,
    child,
    stop,
    kill: () => end([{ signal: 'SIGKILL', waitMs: 5_000 }]),
  };
}

/** The real API, once it listens. Without Temporal its events wait in the table. */
export async function startApi(
  stage: Stage,
  options: {
    databaseUrl: string;
    temporalAddress: string;
    name?: string;
    env?: Record<string, string>;
  },
): Promise<Server> {
  const port = await freePort();
  const env = { ...serviceEnvironment({ ...options, port }), ...options.env };
  const file = new URL('../api/main.ts', import.meta.url);
  const program = startProgram(stage, file, { name: options.name ?? 'api', env });
  return listening(program, port);
}

/** The real worker. Returns once it has said that it is ready. */
export async function startWorker(
  stage: Stage,
  options: {
    databaseUrl: string;
    temporalAddress: string;
    name?: string;
    env?: Record<string, string>;
  },
): Promise<Program> {
  const { name = 'worker' } = options;
  // At this level the worker says when it is ready, and nothing else while it works.
  const env = { ...serviceEnvironment(options), LOG_LEVEL: 'info', ...options.env };
  const program = startProgram(stage, new URL('../worker/main.ts', import.meta.url), { name, env });
  await untilLogged(stage, program, 'Worker ready');
  return program;
}

/** One of the servers of `server-main.ts`, once it listens. */
export async function startBenchServer(
  stage: Stage,
  kind: 'one-insert' | 'bare' | 'no-engine',
  databaseUrl: string,
): Promise<Server> {
  const port = await freePort();
  const program = startProgram(stage, new URL('./server-main.ts', import.meta.url), {
    name: kind,
    args: [kind, String(port), databaseUrl],
  });
  return listening(program, port);
}

/** The next message of the process. */
export async function messageFrom({ child }: Program): Promise<unknown> {
  const [message]: unknown[] = await once(child, 'message');
  return message;
}

async function listening(program: Program, port: number): Promise<Server> {
  await until(program, () => isListening(port));
  return { ...program, port };
}

async function untilLogged(stage: Stage, program: Program, text: string): Promise<void> {
  const file = join(stage.folder, `${program.name}.log`);
  await until(program, async () => readFileSync(file, 'utf8').includes(text));
}

async function until(program: Program, isReady: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(20)) {
    if (await isReady()) return;
  }
  throw new Error(`${program.name} was not ready within ${READY_WITHIN_MS / 1000} s`);
}

/** BENCH_PROFILE names a folder for CPU profiles of every process that is stopped in order. */
function profilerOf(): string[] {
  const folder = process.env.BENCH_PROFILE;
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
}
