import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { runsWith, type StopSteps, startedAt, stopProcess } from './processes.ts';

/** Records the server process, so that a later start finds it if this process is killed. */
export function writePidFile(file: string, pid: number): void {
  writeFileSync(file, `${pid} ${startedAt(pid)}`, { mode: 0o600 });
}

/** Removes the record. */
export function removePidFile(file: string): void {
  rmSync(file, { force: true });
}

/**
 * Stops the process that a killed start left behind, if it still runs, and returns its pid. The
 * process must have been started with `argument`, since pids are reused.
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
