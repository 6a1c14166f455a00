import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));

/** The folder of built data, releases and figures that are kept for the next time. */
export function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'loyalty-bench');
}

/**
 * Returns a folder with the sources of a commit and the packages that its lock file names, which
 * are kept for the next time; undefined where the history does not reach back to it.
 */
export async function releaseOf(commit: string): Promise<string | undefined> {
  const folder = join(cacheFolder(), 'releases', `${commit}-installed`);
  if (existsSync(folder)) return folder;
  try {
    await execute('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: CHECKOUT });
  } catch {
    return undefined;
  }
  await mkdir(join(cacheFolder(), 'releases'), { recursive: true });
  const draft = await mkdtemp(`${folder}.`);
  const archive = join(draft, 'sources.tar');
  await execute('git', ['archive', '--output', archive, commit], { cwd: CHECKOUT });
  await execute('tar', ['-x', '-f', archive, '-C', draft]);
  await rm(archive);
  await execute('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: draft });
  // It appears complete or not at all.
  await rename(draft, folder);
  return folder;
}
