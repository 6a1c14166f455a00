import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { FAULTS } from './faults.ts';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const OPTIONS = ['--minutes', '0.5', '--rate', '20', '--faults', '--seed', '1', '--json'];

/** It then stops what it has started, which takes some seconds. */
const WITHIN_MS = 540_000;

const Output = z.object({ stdout: z.string(), stderr: z.string() });
const Line = z.object({ name: z.string(), verdict: z.string(), detail: z.string() });
const Report = z.object({
  verdict: z.string(),
  webhooks_acknowledged: z.int(),
  operations: z.record(z.string(), z.int()),
  faults: z.array(z.object({ fault: z.string(), recoveredAfter: z.number() })),
  thirds: z.record(z.string(), z.array(z.number().nullable())),
  exact: z.array(Line),
  steady: z.array(Line),
});

it('half a minute with each fault: nothing is lost, nothing is judged too soon', async () => {
  const args = ['--import', 'tsx', MAIN, ...OPTIONS];
  // A run that fails says why in its report, or on stderr if it came to none.
  const { stdout, stderr } = await execute(process.execPath, args, {
    cwd: ROOT,
    timeout: WITHIN_MS,
  }).catch((error: unknown) => Output.parse(error));
  expect(stdout, stderr).not.toBe('');
  const report = Report.parse(JSON.parse(stdout));
  expect(report.exact.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  expect(report.verdict).toBe('passed');
  expect(new Set(report.faults.map(({ fault }) => fault))).toEqual(new Set(FAULTS));
  expect(report.webhooks_acknowledged).toBeGreaterThan(150);
  expect(Object.entries(report.operations).filter(([, count]) => count === 0)).toEqual([]);
  expect(report.thirds.api_mib?.every((mib) => mib !== null && mib > 30)).toBe(true);
  expect(new Set(report.steady.map(({ verdict }) => verdict))).toEqual(new Set(['not judged']));
}, 600_000);
