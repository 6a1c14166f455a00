import { randomInt, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findTemporal } from '../../sandbox/temporal/find.ts';
import { FAULTS } from './faults.ts';
import { playRound } from './round.ts';
import { startService } from './service.ts';

// Plays rounds until the time is over, each with the next fault, and reports what was judged.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    json: { type: 'boolean', default: false },
  },
});
const [minutes, firstSeed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isSafeInteger(firstSeed)) {
  process.stderr.write('Usage: npm run linearize -- [--minutes 5] [--seed 1] [--json]\n');
  process.exit(2);
}
const say = (line: string) => process.stderr.write(`${line}\n`);

const WALLETS = 6;
const STEPS = 15;

const dir = await mkdtemp(join(tmpdir(), 'loyalty-linearize-'));
const namespace = `linearize-${randomUUID()}`;
const dbFile = join(dir, 'temporal.db');
const temporal = await findTemporal({ namespace, dbFile, fresh: true, ui: false }, say);
const service = await startService({ address: temporal.address, namespace });
const total = { histories: 0, operations: 0, unknown: 0, undecided: 0, violations: 0 };
const faults = new Map<string, number>(FAULTS.map((fault) => [fault, 0]));
const until = Date.now() + minutes * 60_000;
try {
  for (let round = 0; Date.now() < until; round++) {
    // Every seventh round is without one.
    const fault = FAULTS[round % (FAULTS.length + 1)];
    const seed = firstSeed + round;
    const options = { seed, wallets: WALLETS, steps: STEPS, ...(fault && { fault }) };
    const result = await playRound(service, options);
    if (fault !== undefined) faults.set(fault, (faults.get(fault) ?? 0) + 1);
    total.histories += result.histories;
    total.operations += result.operations;
    total.unknown += result.unknown;
    total.undecided += result.undecided;
    total.violations += result.violations.length;
    for (const violation of result.violations) say(violation);
    const { operations, unknown } = result;
    say(`seed ${seed}: ${operations} operations, ${unknown} unknown, ${fault ?? 'no fault'}`);
  }
} finally {
  await service.close();
  await temporal.stop();
  await rm(dir, { recursive: true, force: true });
}
const report = { seed: firstSeed, minutes, ...total, faults: Object.fromEntries(faults) };
process.stdout.write(
  values.json
    ? `${JSON.stringify(report, null, 2)}\n`
    : `${total.histories} histories, ${total.operations} operations (${total.unknown} without an ` +
        `answer), ${total.violations} violations, ${total.undecided} undecided; ` +
        `first seed ${firstSeed}\n` +
        `${[...faults].map(([fault, count]) => `${fault}: ${count}`).join('\n')}\n`,
);
process.exitCode = total.violations === 0 ? 0 : 1;
