import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { LANGUAGES } from './languages.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/loyalty-web');
const COMPRESSED = new Set(['.css', '.html', '.js', '.json', '.svg', '.wasm', '.webmanifest']);
const run = promisify(execFile);

/**
 * Returns the folder with the built apps of the sources at hand, and builds it if it is not kept
 * yet. Two that build at the same moment both succeed, and one result is kept.
 */
export function builtApps(): Promise<string> {
  return kept('', buildApps);
}

/** Returns the folder with the page of components, likewise; no installation has it. */
export function builtComponents(): Promise<string> {
  return kept('components-', (folder) => build('web/components/vite.config.ts', folder));
}

async function kept(prefix: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(CACHE, `${prefix}${await digestOfSources()}`);
  if (existsSync(folder)) return folder;
  const unfinished = join(CACHE, `unfinished-${randomUUID()}`);
  await make(unfinished);
  await rename(unfinished, folder).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}

/**
 * Builds the apps into a folder for each language, which is replaced, each file with a compressed
 * one beside it.
 */
export async function buildApps(folder: string): Promise<void> {
  const builds = LANGUAGES.map((language) =>
    build('web/vite.config.ts', join(folder, language), language),
  );
  await Promise.all(builds);
  await compress(folder);
}

async function build(config: string, folder: string, mode = 'production'): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  // In a process of its own: libraries are built for production, whatever the caller runs as.
  const args = [vite, 'build', '--config', join(ROOT, config), '--outDir', folder, '--mode', mode];
  await run(process.execPath, [...args, '--emptyOutDir'], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

async function compress(folder: string): Promise<void> {
  const squeeze = promisify(gzip);
  for (const file of await filesIn(folder)) {
    if (!COMPRESSED.has(extname(file))) continue;
    const bytes = await squeeze(await readFile(file), { level: constants.Z_BEST_COMPRESSION });
    await writeFile(`${file}.gz`, bytes);
  }
}

/** A digest of all that a build depends on. */
async function digestOfSources(): Promise<string> {
  const sources = [...(await filesIn(join(ROOT, 'web'))), ...(await filesIn(join(ROOT, 'sdk')))];
  const isBuilt = (file: string) => /^(web|sdk)\/dist\//.test(file.slice(ROOT.length));
  const files = sources.filter((file) => !isBuilt(file));
  const hash = createHash('sha256');
  for (const file of [...files.sort(), join(ROOT, 'package-lock.json')]) {
    hash
      .update(`${file.slice(ROOT.length)}\0`)
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 32);
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name));
}
