import { parseArgs } from 'node:util';
import { runConfirm } from './confirm.ts';
import { runIntake } from './intake.ts';
import { formatSection, isReached, type Section } from './report.ts';
import { Stopped, withTestbed } from './testbed.ts';

const USAGE = `npm run bench -- intake|confirm [--quick] [--json] [--part 1]…
  --quick  runs one short repetition of each: a check that it works, not a measurement
  --json   prints the report as JSON
  --part   runs only the part of intake with this number; may be repeated`;

const RUNS = new Map([
  ['intake', runIntake],
  ['confirm', runConfirm],
]);

/** Runs the benchmark and prints its report. A missed bar is no failure; an inexact result is. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      part: { type: 'string', multiple: true, default: [] },
    },
  });
  const run = RUNS.get(positionals[0] ?? '');
  if (positionals.length !== 1 || run === undefined) {
    process.stderr.write(`${USAGE}\n`);
    process.exit(1);
  }
  const { quick, json } = values;
  const parts = values.part.map(Number);
  const print = (section: Section) => {
    if (!json) process.stdout.write(`\n${formatSection(section)}\n`);
  };
  const sections = await withTestbed((testbed) => run(testbed, { quick, parts, print }));
  if (json) process.stdout.write(`${JSON.stringify(sections.map(withVerdicts), null, 2)}\n`);
}

function withVerdicts(section: Section) {
  return { ...section, bars: section.bars.map((bar) => ({ ...bar, reached: isReached(bar) })) };
}

try {
  await main();
  process.exit();
} catch (error) {
  process.stderr.write(`${error instanceof Stopped ? error.message : String(error)}\n`);
  process.exit(error instanceof Stopped ? 130 : 1);
}
