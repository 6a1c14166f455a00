import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock } from './lock-file.ts';
import { versionOf } from './versions.ts';

type Report = (line: string) => void;

/** One way to get a program. */
export type Way = {
  /** Where it comes from, as messages say it. */
  from: string;
  /** Puts the program into an empty folder and returns its path; ends soon when it is aborted. */
  get(folder: string, signal: AbortSignal): Promise<string>;
};

/** Ways that are tried at the same time: the first program that works is taken. */
export type Stage = { doing: string; ways: readonly Way[] };

export type Program = {
  /** What messages call it. */
  name: string;
  path: string;
  /** What it must answer to `--version`; by default it only has to answer. */
  version?: string;
};

/** `from` is where it was got; undefined when it was there, or another process installed it. */
export type Installed = { version: string; from?: string };

const WAIT_MS = 500;

/**
 * Installs a working program, completely or not at all: stage after stage, until one has it. While
 * another process is doing the same it waits. Removes the leftovers of installations killed
 * halfway. Throws one error that says why each way did not work.
 */
export async function install(
  program: Program,
  stages: readonly Stage[],
  report: Report,
): Promise<Installed> {
  const folder = dirname(program.path);
  await mkdir(folder, { recursive: true });
  const release = await waitForLock(join(folder, 'installing'), program, report);
  try {
    // The previous holder of the lock may have installed it.
    const present = await versionIfRight(program.path, program);
    if (present !== undefined) return { version: present };

    await removeHalfDone(folder);
    const failures: string[] = [];
    for (const { doing, ways } of stages) {
      report(`${program.name}: ${doing}, once`);
      const got = await firstOf(ways, program, (failure) => {
        failures.push(failure);
        report(`${program.name}: not ${failure}`);
      });
      if (got === undefined) continue;
      await rename(got.path, program.path);
      report(`${program.name}: from ${got.from} (${got.seconds} s)`);
      return { version: got.version, from: got.from };
    }
    throw new Error(failures.map((failure) => `Tried: ${failure}`).join('\n'));
  } finally {
    await removeHalfDone(folder);
    await release();
  }
}

/** Returns what the program answers to `--version`, if that is the right answer. */
export async function versionIfRight(
  path: string,
  { version }: Pick<Program, 'version'>,
): Promise<string | undefined> {
  const found = await versionOf(path);
  return version === undefined || found === version ? found : undefined;
}

async function firstOf(ways: readonly Way[], program: Program, failed: (failure: string) => void) {
  const begun = performance.now();
  const stop = new AbortController();
  const attempts = ways.map(async ({ from, get }) => {
    try {
      const work = join(dirname(program.path), `half-${randomBytes(6).toString('hex')}`);
      await mkdir(work);
      const path = await get(work, stop.signal);
      const version = await requireRight(path, program);
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      return { path, version, from, seconds };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!stop.signal.aborted) failed(`from ${from}: ${reason}`);
      throw error;
    }
  });
  const first = await Promise.any(attempts).catch(() => undefined);
  stop.abort();
  // A way that is stopped may write until it has ended, and its folder is removed next.
  await Promise.allSettled(attempts);
  return first;
}

async function requireRight(path: string, program: Program): Promise<string> {
  await chmod(path, 0o755);
  const found = await versionOf(path);
  if (found === undefined) throw new Error('it does not run on this machine');
  if (program.version !== undefined && found !== program.version) {
    throw new Error(`it is "${found}" instead of "${program.version}"`);
  }
  return found;
}

async function waitForLock(
  path: string,
  { name }: Program,
  report: Report,
): Promise<() => Promise<void>> {
  for (let attempt = 1; ; attempt++) {
    const lock = await acquireLock(path);
    if (lock.held) return lock.release;
    if (attempt === 1) report(`${name}: process ${lock.by} is already installing it, waiting`);
    await sleep(WAIT_MS);
  }
}

async function removeHalfDone(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('half-')) await rm(join(folder, name), { recursive: true, force: true });
  }
}
