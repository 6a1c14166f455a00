import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { judge } from './judging.ts';
import { figuresOf } from './processes.ts';
import type { Sample } from './sampling.ts';

// The rule and the reading of memory together, on a process that leaks on purpose.

/** Makes a mebibyte of strings for each message, and keeps them if it is told to. */
const PROGRAM = `
  const kept = [];
  process.on('message', (keeps) => {
    const made = Array.from({ length: 100 }, (_, nth) => String(nth).padEnd(10_486, '-'));
    // Copies are flat: a string that is put together only refers to its parts.
    const copies = made.map((text) => Buffer.from(text).toString('latin1'));
    if (keeps) kept.push(copies);
    process.send('made');
  });`;
const SAMPLES = 90;
/** Messages stand for minutes of work: a life of a quarter of an hour. */
const SECONDS_PER_SAMPLE = 10;

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
});

it.each([
  { does: 'keeps what it makes', keeps: true, verdict: 'failed' },
  { does: 'drops what it makes', keeps: false, verdict: 'passed' },
])('a process that $does: $verdict', async ({ keeps, verdict }) => {
  child = spawn(process.execPath, ['--max-semi-space-size=1', '-e', PROGRAM], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('The process was not started.');
  const samples: Sample[] = [];
  for (let nth = 0; nth < SAMPLES; nth++) {
    const made = once(child, 'message');
    child.send(keeps);
    await made;
    samples.push(sampleOf(nth * SECONDS_PER_SAMPLE, pid));
  }
  const lines = judge(samples).lines.filter(({ name }) => name === 'memory of the worker');
  expect(lines).toMatchObject([{ verdict }]);
});

function sampleOf(seconds: number, pid: number): Sample {
  return {
    seconds,
    isDisturbed: false,
    processes: { worker: { ...figuresOf(pid), life: 1 } },
    database: undefined,
    openRuns: undefined,
    acknowledged: 0,
    webhooks: undefined,
    credits: undefined,
    othersShare: 0,
  };
}
