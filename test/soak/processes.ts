import { readdirSync, readFileSync } from 'node:fs';
import { memoryOf } from '../../bench/process-figures.ts';

/** Resident memory in MiB, and open file descriptors. NaN where the system does not say. */
export type ProcessFigures = { mib: number; files: number };

/** Reads the figures of one process. */
export function figuresOf(pid: number): ProcessFigures {
  return { mib: memoryOf(pid).nowMib, files: openFilesOf(pid) };
}

/** Adds up the figures of a process and all below it; of memory only what they do not share. */
export function figuresOfTree(root: number): ProcessFigures {
  const pids = new Set([root]);
  // A set that grows while it is walked is walked to its end.
  for (const pid of pids) for (const child of childrenOf(pid)) pids.add(child);
  const all = [...pids].map((pid) => ({ mib: ownMibOf(pid), files: openFilesOf(pid) }));
  return {
    mib: all.reduce((sum, { mib }) => sum + mib, 0),
    files: all.reduce((sum, { files }) => sum + files, 0),
  };
}

function openFilesOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN;
  }
}

/** Postgres's processes come and go: one that has ended meanwhile counts nothing. */
function ownMibOf(pid: number): number {
  const [, kib = '0'] = /^RssAnon:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return Number(kib) / 1024;
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
