import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startedAt } from './processes.ts';

const TURN_MS = 5;

export type LockFile = { held: true; release(): Promise<void> } | { held: false; by: number };

/**
 * Makes this process the only holder of the lock at `path`, or returns the running process that
 * holds it. A holder that died without releasing it is replaced.
 */
export async function acquireLock(path: string): Promise<LockFile> {
  const own = `${process.pid} ${startedAt(process.pid)} ${randomBytes(6).toString('hex')}`;
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, own, { mode: 0o600 });
  try {
    while (!(await linkOnce(draft, path))) {
      const found = await readIfThere(path);
      if (found === undefined) continue;
      const holder = livingHolder(found);
      if (holder !== undefined) return { held: false, by: holder };
      if (await replaceDead(path, found, draft)) break;
    }
  } finally {
    await rm(draft, { force: true });
  }
  return {
    held: true,
    release: async () => {
      if ((await readIfThere(path)) === own) await rm(path, { force: true });
    },
  };
}

function livingHolder(content: string): number | undefined {
  const [pid, started] = content.split(' ');
  return started !== undefined && startedAt(Number(pid)) === started ? Number(pid) : undefined;
}

/** Links the file, which appears with its content or not at all, unlike one created and written. */
async function linkOnce(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Replaces a dead holder under a second lock, since two processes may see the same dead one. */
async function replaceDead(path: string, dead: string, draft: string): Promise<boolean> {
  const turn = await acquireLock(`${path}.takeover`);
  if (!turn.held) {
    await sleep(TURN_MS);
    return false;
  }
  try {
    if ((await readIfThere(path)) !== dead) return false;
    await rename(draft, path);
    return true;
  } finally {
    await turn.release();
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
