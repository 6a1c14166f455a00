import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { Stopped } from '../../bench/testbed.ts';
import { describe } from './report.ts';
import { soak } from './run.ts';

const USAGE = `Usage: npm run soak -- [options]

Runs the service for long at half of the rate that it sustains, and judges what it has seen.
  --minutes N    for how long (60); under 5, everything comes faster
  --rate N       the sustainable rate in operations per second, of which half is offered;
                 auto finds it by a ramp (auto)
  --faults       kill and restart processes and servers, and let providers refuse, meanwhile
  --seed N       what the choices follow from (random)
  --json         print the report as JSON

Exit status: 0 passed; 1 something was lost, wrong or did not recover; 3 memory or another figure
grows; 2 unknown options.
`;

const Flags = z.object({
  minutes: z.coerce.number().positive().default(60),
  rate: z.union([z.literal('auto'), z.coerce.number().positive()]).default('auto'),
  faults: z.boolean().default(false),
  seed: z.coerce
    .number()
    .int()
    .min(0)
    .default(() => randomInt(1_000_000)),
  json: z.boolean().default(false),
});

const STATUS = { passed: 0, inexact: 1, unsteady: 3 } as const;
const say = (line: string) => void process.stderr.write(`${line}\n`);

function readFlags(): z.infer<typeof Flags> | undefined {
  const string = { type: 'string' } as const;
  const boolean = { type: 'boolean' } as const;
  try {
    const { values } = parseArgs({
      options: { minutes: string, rate: string, faults: boolean, seed: string, json: boolean },
    });
    return Flags.parse(values);
  } catch (error) {
    say(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return undefined;
  }
}

async function main(): Promise<number> {
  const flags = readFlags();
  if (flags === undefined) return 2;
  const { seed, minutes, rate, faults, json } = flags;
  say(`Seed ${seed}`);
  const options = { seed, minutes, rate: rate === 'auto' ? undefined : rate, hasFaults: faults };
  const report = await soak(options, say);
  process.stdout.write(`${json ? JSON.stringify(report, null, 2) : describe(report)}\n`);
  return STATUS[report.verdict];
}

try {
  process.exit(await main());
} catch (error) {
  say(
    error instanceof Stopped ? error.message : String(error instanceof Error ? error.stack : error),
  );
  process.exit(error instanceof Stopped ? 130 : 1);
}
