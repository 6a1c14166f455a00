import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ObjectStore } from './store.ts';

/**
 * Stores objects as files of one directory, which is created when needed. A file appears under its
 * name only when it is complete. What a name has before a slash is a directory in it.
 */
export function createFileStore(dir: string): ObjectStore {
  return {
    async put(name, { bytes }) {
      const path = join(dir, name);
      const folder = dirname(path);
      await mkdir(folder, { recursive: true });
      const unfinished = join(folder, `.${basename(path)}.${randomUUID()}`);
      try {
        await write(unfinished, bytes);
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async delete(name) {
      await rm(join(dir, name), { force: true });
    },
    async get(name) {
      try {
        return await readFile(join(dir, name));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
        throw error;
      }
    },
  };
}

async function write(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o644);
  try {
    await file.writeFile(bytes);
    // Otherwise a crash could leave a file that has its name but not its bytes.
    await file.sync();
  } finally {
    await file.close();
  }
}
