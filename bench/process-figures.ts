import { readdirSync, readFileSync } from 'node:fs';
import { sumOf } from './statistics.ts';

/** Memory of a process in MiB: now, and at its peak. NaN where it is unknown. */
export type Memory = { nowMib: number; peakMib: number };

const TICKS_PER_SECOND = 100;
/** The parent of the kernel's own threads, which write and send on behalf of programs. */
const KERNEL_THREADS = { pid: 2, name: 'kthreadd' };

/** Returns the resident memory of a process, as Linux counts it. */
export function memoryOf(pid: number): Memory {
  const status = read(`/proc/${pid}/status`);
  const mib = (name: string) => {
    const [, kib] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
    return Number(kib ?? Number.NaN) / 1024;
  };
  return { nowMib: mib('VmRSS'), peakMib: mib('VmHWM') };
}

/**
 * Starts measuring the processor time of the processes and their children. The returned function
 * gives, for each, the microseconds used since then per unit of work.
 */
export function measureCpu(pids: readonly number[]): (units: number) => number[] {
  const before = cpuSecondsOf(pids);
  return (units) =>
    cpuSecondsOf(pids).map((seconds, nth) => ((seconds - (before[nth] ?? 0)) / units) * 1e6);
}

/**
 * Starts measuring how often the threads of the processes and their children wake up. The returned
 * function gives, for each process, the wake-ups since then per unit; those of threads that have
 * ended are not known.
 */
export function measureWakeUps(pids: readonly number[]): (units: number) => number[] {
  const before = wakeUpsOf(pids);
  return (units) =>
    wakeUpsOf(pids).map((threads, nth) => {
      if (threads.size === 0) return Number.NaN;
      const since = [...threads].map(([id, count]) => count - (before[nth]?.get(id) ?? 0));
      return sumOf(since) / units;
    });
}

/** How often each thread of each process and its children has waited for something, by its id. */
function wakeUpsOf(pids: readonly number[]): Map<string, number>[] {
  const processes = readProcesses();
  return pids.map((root) => {
    const folders = [...treeOf(root, processes)].flatMap((pid) =>
      list(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`),
    );
    return new Map(
      folders.flatMap((folder) => {
        const [, count] =
          /^voluntary_ctxt_switches:\s+(\d+)$/m.exec(read(`${folder}/status`)) ?? [];
        return count === undefined ? [] : [[folder, Number(count)]];
      }),
    );
  });
}

/**
 * Starts measuring what share of the machine's processors programs use that are neither this
 * process nor below it. The returned function gives that share since then, from 0 to 1; NaN where
 * the system does not say.
 */
export function watchOthers(): () => number {
  const before = usage();
  return () => {
    const now = usage();
    // A thread of the kernel that has ended takes its time with it: nobody waits for it.
    const ofKernel = [...now.kernel].map(
      ([pid, seconds]) => seconds - (before.kernel.get(pid) ?? 0),
    );
    const others = now.busy - before.busy - (now.own - before.own) - sumOf(ofKernel);
    return Math.max(0, others / (now.all - before.all));
  };
}

/** Seconds of processors: spent on programs, on ours, on each thread of the kernel, and all. */
function usage() {
  const [, fields = ''] = /^cpu +(.*)$/m.exec(read('/proc/stat')) ?? [];
  const ticks = fields.split(' ').map(Number);
  const [user = Number.NaN, nice = 0, system = 0, , , , , steal = 0] = ticks;
  const processes = readProcesses();
  const secondsOf = (root: number): [number, number][] =>
    [...treeOf(root, processes)].map((pid) => [pid, processes.get(pid)?.seconds ?? 0]);
  const hasKernel = read(`/proc/${KERNEL_THREADS.pid}/comm`).trim() === KERNEL_THREADS.name;
  return {
    busy: (user + nice + system + steal) / TICKS_PER_SECOND,
    own: sumOf(secondsOf(process.pid).map(([, seconds]) => seconds)),
    kernel: new Map(hasKernel ? secondsOf(KERNEL_THREADS.pid) : []),
    // The columns after the eighth are contained in the first two.
    all: sumOf(ticks.slice(0, 8)) / TICKS_PER_SECOND,
  };
}

/**
 * Returns the seconds of processor time of each process and its children, also of those that have
 * ended. NaN for a process that does not run.
 */
function cpuSecondsOf(pids: readonly number[]): number[] {
  const processes = readProcesses();
  return pids.map((pid) =>
    processes.has(pid)
      ? [...treeOf(pid, processes)].reduce((sum, id) => sum + (processes.get(id)?.seconds ?? 0), 0)
      : Number.NaN,
  );
}

/** `seconds`: of the process, and of its children that have ended. */
type Processes = ReadonlyMap<number, { parent: number; seconds: number }>;

function readProcesses(): Processes {
  const pids = list('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(
    pids.flatMap((pid) => {
      const stat = statOf(Number(pid));
      return stat === undefined ? [] : [[Number(pid), stat]];
    }),
  );
}

/** The process and everything below it. */
function treeOf(root: number, processes: Processes): Set<number> {
  const tree = new Set([root]);
  // A set that grows while it is walked is walked to its end.
  for (const parent of tree) {
    for (const [pid, stat] of processes) if (stat.parent === parent) tree.add(pid);
  }
  return tree;
}

function statOf(pid: number): { parent: number; seconds: number } | undefined {
  // The name of the command, in parentheses, may itself contain spaces and parentheses.
  const [, fields] = /^.*\) (.*)$/s.exec(read(`/proc/${pid}/stat`)) ?? [];
  if (fields === undefined) return undefined;
  const [, parent = 0, ...rest] = fields.split(' ').map(Number);
  // Its own time and that of the children it has waited for, each in user and system mode.
  const ticks = rest.slice(9, 13).reduce((sum, each) => sum + each, 0);
  return { parent, seconds: ticks / TICKS_PER_SECOND };
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
