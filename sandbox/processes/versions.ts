import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const ANSWER_WITHIN_MS = 20_000;

const execute = promisify(execFile);

/** What the program says to `--version`, or undefined when it is not there or does not run. */
export async function versionOf(program: string): Promise<string | undefined> {
  try {
    const { stdout } = await execute(program, ['--version'], { timeout: ANSWER_WITHIN_MS });
    return stdout.trim();
  } catch {
    return undefined;
  }
}

/** Compares versions made of numbers and dots; a text that is not one is older than any. */
export function isAtLeast(version: string, oldest: string): boolean {
  return /^\d/.test(version) && version.localeCompare(oldest, 'en', { numeric: true }) >= 0;
}
