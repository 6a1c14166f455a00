import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { runsWith, type StopSteps, startedAt, stopProcess } from './processes.ts';

/** Notes which process serves, so that a later start finds it if ours is killed meanwhile. */
export function writePidFile(file: string, pid: number): void {
  writeFileSync(file, `${pid} ${startedAt(pid)}`, { mode: 0o600 });
}

/** Forgets the process that was noted. */
export function removePidFile(file: string): void {
  rmSync(file, { force: true });
}

/**
 * Stops the process that a killed start has left behind, if it still runs, and says which it was.
 * Only one that was started with `argument` is ours: a number alone is given out again.
 */
export async function stopLeftBehind(
  file: string,
  argument: string,
  steps: StopSteps,
): Promise<number | undefined> {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  const [number = '', started] = content.split(/ (.*)/s);
  const pid = Number(number);
  if (startedAt(pid) !== started || !runsWith(pid, argument)) return undefined;
  await stopProcess(pid, steps);
  return pid;
}
