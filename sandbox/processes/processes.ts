import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { inherited } from './inherited.ts';

const LOG_LIMIT_BYTES = 20_000_000;
const LOG_TAIL_CHARACTERS = 2_000;
const POLL_MS = 15;
const READY_WITHIN_MS = 60_000;

export type ServerCommand = {
  command: string;
  args: readonly string[];
  /** Receives both outputs; a pipe would break as soon as this process ends. */
  logFile: string;
  /** Sent when this process exits without having stopped the server. */
  signalAtExit: NodeJS.Signals;
  uid?: number | undefined;
  /** The whole environment of the process; by default what every program needs of the shell. */
  env?: NodeJS.ProcessEnv;
};

export type ServerProcess = {
  pid: number;
  /** Resolves with the reason when the process ends; never rejects. */
  exited: Promise<string>;
  /** Returns the last lines of the log since this start. */
  logTail(): string;
  /** Whether the log since this start holds a text, however much was written after it. */
  hasLogged(text: string): boolean;
  /** Like `stopProcess`, but ignores a process that has ended, since its pid may be reused. */
  stop(steps: StopSteps): Promise<void>;
};

/** The signals that end a process, in order, and how many milliseconds each is given. */
export type StopSteps = ReadonlyArray<{ signal: NodeJS.Signals; waitMs: number }>;

/**
 * Starts a server in its own process group, so that Ctrl-C reaches only this process, which then
 * stops the server in order. Throws when the command cannot be run.
 */
export async function startServer(server: ServerCommand): Promise<ServerProcess> {
  const log = openLog(server.logFile);
  const offset = statSync(server.logFile).size;
  const identity = server.uid === undefined ? {} : { uid: server.uid, gid: server.uid };
  const child = spawn(server.command, [...server.args], {
    detached: true,
    stdio: ['ignore', log, log],
    env: server.env ?? inherited(),
    ...identity,
  });
  closeSync(log);

  const endWithUs = () => child.kill(server.signalAtExit);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(`exit ${signal ?? code}`));
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${server.command} cannot be started: ${await exited}`);
  process.once('exit', endWithUs);
  child.once('exit', () => process.removeListener('exit', endWithUs));
  child.unref();

  const logged = () => readFileSync(server.logFile).subarray(offset);
  const logTail = () => logged().toString().slice(-LOG_TAIL_CHARACTERS).trim();
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async (steps: StopSteps) => {
    if (!hasEnded()) await stopProcess(pid, steps);
  };
  return { pid, exited, logTail, hasLogged: (text) => logged().includes(text), stop };
}

/**
 * Asks until the server is ready, and returns undefined then; or why it never will be: it has
 * ended, or it takes too long. What `isReady` throws counts as not yet.
 */
export async function untilReady(
  running: ServerProcess,
  isReady: () => boolean | Promise<boolean>,
): Promise<string | undefined> {
  let ended: string | undefined;
  void running.exited.then((reason) => {
    ended = reason;
  });
  let last: unknown = 'not ready';
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(25)) {
    if (ended !== undefined) return ended;
    try {
      if (await isReady()) return ended;
    } catch (error) {
      last = error;
    }
  }
  return `after ${READY_WITHIN_MS / 1000} s: ${last}`;
}

function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) renameSync(path, `${path}.old`);
  return openSync(path, 'a', 0o600);
}

/** Ends the process and returns once it is gone; throws when it survives all steps. */
export async function stopProcess(pid: number, steps: StopSteps): Promise<void> {
  const started = startedAt(pid);
  if (started === undefined) return;

  for (const { signal, waitMs } of steps) {
    if (startedAt(pid) !== started) return;
    trySignal(pid, signal);
    for (const deadline = Date.now() + waitMs; Date.now() < deadline; await sleep(POLL_MS)) {
      if (startedAt(pid) !== started) return;
    }
  }
  throw new Error(`Process ${pid} does not stop; end it with: kill -9 ${pid}`);
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (startedAt(pid) !== undefined) throw error;
  }
}

/**
 * Returns when the process started, in the system's own format; undefined when it does not run. Pid
 * and start together identify a process, while pids alone are reused.
 */
export function startedAt(pid: number): string | undefined {
  if (process.platform !== 'linux') return startedAtByPs(pid);
  try {
    // The command's name, in parentheses, may itself contain spaces and parentheses.
    const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const [state] = fields;
    return state === 'Z' || state === 'X' ? undefined : fields.split(' ')[19];
  } catch {
    return undefined;
  }
}

function startedAtByPs(pid: number): string | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
  const [state = '', ...start] = stdout.toString().trim().split(/\s+/);
  return state === '' || state.startsWith('Z') ? undefined : start.join(' ');
}

/** Whether the process runs and was started with exactly this argument. */
export function runsWith(pid: number, argument: string): boolean {
  if (startedAt(pid) === undefined) return false;
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return `${stdout.toString().trim()} `.includes(` ${argument} `);
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument);
  } catch {
    return false;
  }
}
