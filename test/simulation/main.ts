import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startDeployment } from './deployment.ts';
import { createFaults } from './faults.ts';
import { play } from './play.ts';
import { defectsOf, summarize, textOf } from './report.ts';
import { type Options, run } from './run.ts';
import { History } from './steps.ts';

const USAGE = `Usage: npm run simulate -- [options]

Plays random histories over the real service and compares it with the model.
  --seed N         the first seed (1)
  --histories N    how many seeds (24), or
  --minutes N      for how long, hours included
  --steps N        steps of a history (60)
  --faults N       faults of a history (1)
  --concurrency N  histories at the same time (8)
  --replicas N     APIs and workers (1)
  --no-shrink      leave failing histories as they are
  --json           print the report as JSON
  --replay FILE    play one history of a file instead
`;

const HISTORIES = new URL('histories/', import.meta.url);
const whole = z.coerce.number().int();
const Flags = z.object({
  seed: whole.min(0).default(1),
  histories: whole.min(1).default(24),
  minutes: z.coerce.number().positive().optional(),
  steps: whole.min(1).default(60),
  faults: whole.min(0).default(1),
  concurrency: whole.min(1).max(64).default(8),
  replicas: whole.min(1).max(4).default(1),
  replay: z.string().optional(),
  json: z.boolean().default(false),
  'no-shrink': z.boolean().default(false),
});

const say = (line: string) => void process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const flags = readFlags();
  if (flags === undefined) return 2;
  if (flags.replay !== undefined) return replay(flags.replay);
  const options: Options = { ...flags, minutes: flags.minutes, shrinks: !flags['no-shrink'] };
  const report = await run(options, say);
  for (const { seed, history } of report.defects) {
    if (history === undefined) continue;
    const file = new URL(`seed-${seed}.json`, HISTORIES);
    await writeFile(file, textOf(history));
    say(`Kept: npm run simulate -- --replay ${file.pathname}`);
  }
  const data = { ...report, defectsOf: defectsOf(report) };
  process.stdout.write(`${flags.json ? JSON.stringify(data) : summarize(report)}\n`);
  return report.defects.length === 0 ? 0 : 1;
}

function readFlags(): z.infer<typeof Flags> | undefined {
  const string = { type: 'string' } as const;
  const boolean = { type: 'boolean' } as const;
  try {
    const { values } = parseArgs({
      options: {
        seed: string,
        histories: string,
        minutes: string,
        steps: string,
        faults: string,
        concurrency: string,
        replicas: string,
        replay: string,
        json: boolean,
        'no-shrink': boolean,
      },
    });
    return Flags.parse(values);
  } catch (error) {
    say(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return undefined;
  }
}

async function replay(file: string): Promise<number> {
  const history = History.parse(JSON.parse(await readFile(file, 'utf8')));
  const { seed, policies } = history;
  const deployment = await startDeployment({ seed, policies, replicas: 1, report: say });
  try {
    const { steps, failure } = await play(
      { deployment, faults: createFaults(deployment) },
      history,
    );
    if (failure !== undefined) say(`Step ${failure.at}: ${failure.kind}: ${failure.message}`);
    process.stdout.write(
      `${steps} steps: ${failure === undefined ? 'as the model says' : 'wrong'}\n`,
    );
    return failure === undefined ? 0 : 1;
  } finally {
    await deployment.close();
  }
}

// The servers are told to stop when this process exits, which a signal alone does not let it do.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.exitCode = await main();
