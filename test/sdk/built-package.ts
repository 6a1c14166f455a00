import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const execute = promisify(execFile);
const TSC = join(ROOT, 'node_modules/ts7/bin/tsc');

export type BuiltPackage = {
  /** A project that has installed the package. */
  folder: string;
  /** Where the package is in it. */
  path: string;
  remove(): Promise<void>;
};

/** Builds the package and installs it into an empty project, as `npm install` would. */
export async function buildPackage(): Promise<BuiltPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'loyalty-sdk-'));
  const path = join(folder, 'node_modules/loyalty-points-client');
  await mkdir(path, { recursive: true });
  for (const name of ['package.json', 'README.md', 'LICENSE']) {
    await cp(join(ROOT, 'sdk', name), join(path, name));
  }
  await execute(process.execPath, [TSC, '-p', join(ROOT, 'sdk'), '--outDir', join(path, 'dist')]);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  return { folder, path, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Checks the types of a project, and returns what is wrong. */
export async function compile(folder: string, args: readonly string[]): Promise<string> {
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--pretty', 'false', ...args];
  return execute(process.execPath, [TSC, ...options], { cwd: folder }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}
