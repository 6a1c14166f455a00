import { readdirSync, readFileSync } from 'node:fs';

/** Memory of a process in MiB: now, and at its peak. NaN where it is unknown. */
export type Memory = { nowMib: number; peakMib: number };

const TICKS_PER_SECOND = 100;

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
 * Starts measuring the processor time of the processes. The returned function gives, for each, the
 * microseconds used since then per unit of work.
 */
export function measureCpu(pids: readonly number[]): (units: number) => number[] {
  const before = pids.map(cpuSecondsOf);
  return (units) =>
    pids.map((pid, nth) => ((cpuSecondsOf(pid) - (before[nth] ?? 0)) / units) * 1e6);
}

/** Returns the seconds of processor time of a process and its living children, on Linux. */
function cpuSecondsOf(pid: number): number {
  const own = statOf(pid);
  if (own === undefined) return Number.NaN;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.parent === pid);
  return [own, ...children].reduce((sum, stat) => sum + (stat?.seconds ?? 0), 0);
}

function statOf(pid: number): { parent: number; seconds: number } | undefined {
  // The name of the command, in parentheses, may itself contain spaces and parentheses.
  const [, fields] = /^.*\) (.*)$/s.exec(read(`/proc/${pid}/stat`)) ?? [];
  if (fields === undefined) return undefined;
  const [, parent, ...rest] = fields.split(' ').map(Number);
  const [user = 0, system = 0] = rest.slice(9, 11);
  return { parent: parent ?? 0, seconds: (user + system) / TICKS_PER_SECOND };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
