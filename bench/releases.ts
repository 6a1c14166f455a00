import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { userCache } from '../sandbox/processes/user-cache.ts';

const execute = promisify(execFile);
const CHECKOUT = fileURLToPath(new URL('../', import.meta.url));

/** The folder of built data, releases and figures that are kept for the next time. */
export function cacheFolder(): string {
  return join(userCache(), 'loyalty-bench');
}

/**
 * Returns a folder with the sources of a commit and the packages that its lock file names: those of
 * this checkout where they are the same, and then the folder is within the given one.
 */
export async function sourcesOf(commit: string, within: string): Promise<string> {
  const { stdout } = await execute('git', ['rev-parse', '--verify', `${commit}^{commit}`], {
    cwd: CHECKOUT,
  });
  const name = stdout.trim();
  const folder = join(within, name);
  await mkdir(folder);
  await unpack(name, folder);
  const [ours, theirs] = await Promise.all(
    [CHECKOUT, folder].map((each) => readFile(join(each, 'package-lock.json'), 'utf8')),
  );
  if (ours !== theirs) return installed(name);
  await symlink(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The same with packages of its own, which is kept for the next time. */
async function installed(commit: string): Promise<string> {
  const folder = join(cacheFolder(), 'releases', `${commit}-installed`);
  if (existsSync(folder)) return folder;
  await mkdir(join(cacheFolder(), 'releases'), { recursive: true });
  const draft = await mkdtemp(`${folder}.`);
  await unpack(commit, draft);
  await execute('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: draft });
  // It appears complete or not at all.
  await rename(draft, folder);
  return folder;
}

async function unpack(commit: string, folder: string): Promise<void> {
  const archive = join(folder, 'sources.tar');
  await execute('git', ['archive', '--output', archive, commit], { cwd: CHECKOUT });
  await execute('tar', ['-x', '-f', archive, '-C', folder]);
  await rm(archive);
}
