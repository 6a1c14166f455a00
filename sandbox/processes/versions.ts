import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { promisify } from 'node:util';

const ANSWER_WITHIN_MS = 20_000;

const execute = promisify(execFile);

/** Returns the program's `--version` output; undefined when it is missing or does not run. */
export async function versionOf(
  program: string,
  args: readonly string[] = ['--version'],
  env?: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  try {
    const { stdout } = await execute(program, args, { timeout: ANSWER_WITHIN_MS, env });
    return stdout.trim();
  } catch {
    return undefined;
  }
}

/** Compares dotted version numbers; any other text counts as older than all of them. */
export function isAtLeast(version: string, oldest: string): boolean {
  return /^\d/.test(version) && version.localeCompare(oldest, 'en', { numeric: true }) >= 0;
}

/** Whether there is a program at the path that this process may run. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
