import { parseArgs } from 'node:util';
import { runCompare } from './compare.ts';
import { runConfirm } from './confirm.ts';
import { runDeliveries } from './deliveries.ts';
import { runIntake } from './intake.ts';
import { keepData } from './large/kept-data.ts';
import { keptFor, runLarge } from './large/run.ts';
import type { Size } from './large/sizes.ts';
import { describeMachine, watchBefore } from './machine.ts';
import type { Options } from './options.ts';
import { runPages } from './pages.ts';
import { runPeers } from './peers/run.ts';
import type { Section } from './report.ts';
import { startReport } from './run-report.ts';
import { runStreams } from './streams.ts';
import { Stopped, type Testbed, withTestbed } from './testbed.ts';

const USAGE = `npm run bench -- PART [options]
  PART     intake, compare, confirm, streams, deliveries, pages, peers or large
  --quick  runs one short repetition of each: a check that it works, not a measurement
  --json   prints the report as JSON
  --part   runs only the part of intake or large with this number; may be repeated
  --peer   measures only the peer of this name; may be repeated
  --base   the commit that compare measures this checkout against: HEAD by default
  --unit   compares only this unit of work; may be repeated: sale, asked-sale, slowly-asked-sale,
           lone-sale, lone-asked-sale, webhook, confirm or idle
  --pairs  how many pairs compare measures: 9 by default
  --scale  how many times ten million entries large runs with: 1 by default, from 0.01 to 10`;

type Run = {
  measure(testbed: Testbed, options: Options): Promise<Section[]>;
  /** The built databases that it copies; undefined where it serves none. */
  kept?(parts: readonly number[], scale: number): Size[];
};

const RUNS = new Map<string, Run>([
  ['intake', { measure: runIntake }],
  ['compare', { measure: runCompare }],
  ['confirm', { measure: runConfirm }],
  ['streams', { measure: runStreams }],
  ['deliveries', { measure: runDeliveries }],
  ['pages', { measure: runPages }],
  ['peers', { measure: runPeers }],
  ['large', { measure: runLarge, kept: keptFor }],
]);

/** Runs the benchmark and prints its report. A missed bar is no failure; an inexact result is. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      part: { type: 'string', multiple: true, default: [] },
      peer: { type: 'string', multiple: true, default: [] },
      base: { type: 'string', default: 'HEAD' },
      unit: { type: 'string', multiple: true, default: [] },
      pairs: { type: 'string', default: '9' },
      scale: { type: 'string', default: '1' },
    },
  });
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const run = RUNS.get(positionals[0] ?? '');
  const [scale, pairs] = [Number(values.scale), Number(values.pairs)];
  const parts = values.part.map(Number);
  const areAllowed =
    scale >= 0.01 && scale <= 10 && pairs >= 1 && parts.every((part) => Number.isInteger(part));
  if (positionals.length !== 1 || run === undefined || !areAllowed) {
    process.stderr.write(`${USAGE}\n`);
    process.exit(1);
  }
  const { quick, json } = values;
  const [command = ''] = positionals;
  const terms = { command, quick, scale, parts };
  const write = (text: string) => {
    if (!json) process.stdout.write(`\n${text}\n`);
  };
  const before = await watchBefore(quick ? 1_000 : 5_000);
  const kept = run.kept && (await keepData(run.kept(terms.parts, scale), scale, log));
  const report = await withTestbed(async (testbed) => {
    const { print, end } = startReport(await describeMachine(testbed, before), terms, write);
    const { base, peer: peers, unit: units } = values;
    await run.measure(testbed, { ...terms, base, units, pairs, peers, print });
    return end();
  }, kept);
  if (report.sections.length === 0) throw new Error(`Nothing was measured\n${USAGE}`);
  if (json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
}

try {
  await main();
  process.exit();
} catch (error) {
  process.stderr.write(`${error instanceof Stopped ? error.message : String(error)}\n`);
  process.exit(error instanceof Stopped ? 130 : 1);
}
