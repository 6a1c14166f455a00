import { execFile } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensureTemporalCli } from '../sandbox/temporal/cli.ts';
import { watchOthers } from './process-figures.ts';
import { stripsTypes } from './production-node.ts';
import type { Testbed } from './testbed.ts';

/** What the figures of a run depend on, besides the code. */
export type Machine = {
  cpu: string;
  cores: number;
  memoryGib: number;
  system: string;
  node: string;
  /** Whether Node runs the sources without a loader, as in production. */
  isWithoutLoader: boolean;
  postgres: string;
  temporal: string;
  /** The commit of the sources, and whether files differ from it. */
  commit: string;
  isModified: boolean;
  startedAt: string;
  /** The load average of the minute before, and the share of the machine that others used. */
  loadAverage: number;
  othersBefore: number;
};

/** Above this share, what other programs do shows in the figures. */
const SMALL_SHARE = 0.05;
const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));

const execute = promisify(execFile);

/** What was seen of the machine before anything was started on it. */
export type Before = Pick<Machine, 'startedAt' | 'loadAverage' | 'othersBefore'>;

/** Watches for a moment what other programs do; to be called before anything is started. */
export async function watchBefore(ms: number): Promise<Before> {
  const startedAt = new Date().toISOString();
  const [loadAverage = Number.NaN] = loadavg();
  const others = watchOthers();
  await sleep(ms);
  return { startedAt, loadAverage, othersBefore: others() };
}

/** Describes the machine, its programs and the sources. */
export async function describeMachine(testbed: Testbed, before: Before): Promise<Machine> {
  const [first] = cpus();
  const { version } = await ensureTemporalCli(testbed.log);
  const changes = await git('status', '--porcelain', '--untracked-files=no');
  return {
    ...before,
    cpu: first?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGib: totalmem() / 2 ** 30,
    system: `${type()} ${release()}`,
    node: process.version,
    isWithoutLoader: stripsTypes() && process.execArgv.length === 0,
    postgres: testbed.postgresVersion,
    temporal: version.replace(/^temporal version /, ''),
    commit: (await git('rev-parse', '--short', 'HEAD')) || 'unknown',
    isModified: changes !== '',
  };
}

/** Whether others used more than a small share: then the figures are not to be written down. */
export function isBusy(othersShares: readonly number[]): boolean {
  return othersShares.some((share) => share > SMALL_SHARE);
}

/** Renders what precedes the tables of a report. */
export function formatMachine(machine: Machine): string {
  const { isWithoutLoader, isModified, loadAverage, othersBefore } = machine;
  const memory = `${machine.memoryGib.toFixed(1)} GiB`;
  return [
    `${machine.cpu}, ${machine.cores} cores, ${memory}, ${machine.system}`,
    `Node ${machine.node} ${isWithoutLoader ? 'without a loader' : 'WITH A LOADER'}, ` +
      `PostgreSQL ${machine.postgres}, Temporal ${machine.temporal}`,
    `Commit ${machine.commit}${isModified ? ', with changes' : ''}, ${machine.startedAt}`,
    `Before: load average ${loadAverage.toFixed(2)}; ${formatOthers([othersBefore])}`,
  ].join('\n');
}

/**
 * Renders what share of the machine others used, and whether that is too much. What is unknown, as
 * of a moment too short to be seen, counts only if nothing else is known.
 */
export function formatOthers(shares: readonly number[]): string {
  const known = shares.filter((share) => !Number.isNaN(share));
  if (known.length === 0) return 'it is unknown what other programs used';
  const most = Math.max(...known);
  const some = known.length > 1 ? 'at most ' : '';
  const used = `other programs used ${some}${(most * 100).toFixed(1)} % of the machine`;
  return isBusy(shares) ? `${used} (busy machine: not to be written down)` : used;
}

async function git(...args: string[]): Promise<string> {
  try {
    return (await execute('git', args, { cwd: CHECKOUT })).stdout.trim();
  } catch {
    return '';
  }
}
