import { parseArgs } from 'node:util';
import { setup } from '../support/servers.ts';
import { type Checkout, copyCheckout } from './checkout.ts';
import { apply, ROOT, readSabotages, type Sabotage, whyNotApplicable } from './patches.ts';
import { runTests } from './run-tests.ts';
import type { SharedServers } from './shared-servers.ts';

// Puts one known defect after the other into a copy of the checkout, and runs the tests that must
// catch it. One that they do not catch is a hole in the tests.

type Result = {
  name: string;
  breaks: string;
  /** `survived`: the tests pass. `broken`: they did not run, or fail without the defect, too. */
  is: 'caught' | 'survived' | 'broken';
  why: string;
  seconds: number;
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});
const say = (line: string) => process.stderr.write(`${line}\n`);

const all = readSabotages();
const unknown = positionals.filter((name) => !all.some((sabotage) => sabotage.name === name));
if (unknown.length > 0) {
  say(`Unknown: ${unknown.join(', ')}. Name files of test/sabotage/patches, without .patch.`);
  process.exit(2);
}
const chosen = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const checkout = copyCheckout(ROOT);
const results: Result[] = [];
const servers: SharedServers = {
  databaseUrls: { superuser: '', owner: '', service: '' },
  temporalAddress: '',
};
const stopServers = await setup({
  provide: (name, value) => Object.assign(servers, { [name]: value }),
});
try {
  say(`Running the tests of ${chosen.length} sabotages without them`);
  const sound = await runTests(
    checkout.folder,
    chosen.flatMap(({ catchers }) => catchers),
    servers,
  );
  for (const [nth, sabotage] of chosen.entries()) {
    const start = performance.now();
    const unsound = sabotage.catchers.find((catcher) => sound.get(catcher) !== 'passed');
    const judgement =
      unsound === undefined
        ? await judge(sabotage, checkout)
        : { is: 'broken' as const, why: `without it: ${sound.get(unsound)}: ${unsound.title}` };
    const seconds = Math.round((performance.now() - start) / 100) / 10;
    results.push({ name: sabotage.name, breaks: sabotage.breaks, ...judgement, seconds });
    say(`${nth + 1}/${chosen.length} ${sabotage.name}: ${judgement.is}, ${seconds} s`);
  }
} finally {
  checkout.remove();
  await stopServers();
}

async function judge(
  sabotage: Sabotage,
  { folder }: Checkout,
): Promise<Pick<Result, 'is' | 'why'>> {
  const reason = whyNotApplicable(sabotage, folder);
  if (reason !== undefined) return { is: 'broken', why: reason };
  apply(sabotage, folder, 'in');
  // The servers have the schema as it is without the patch.
  const given = sabotage.changesSchema ? undefined : servers;
  const endings = await runTests(folder, sabotage.catchers, given);
  apply(sabotage, folder, 'out');
  const [missing] = [...endings].flatMap(([{ title }, is]) => (is === 'missing' ? title : []));
  if (missing !== undefined) return { is: 'broken', why: `did not run: ${missing}` };
  const [passed] = [...endings].flatMap(([{ title }, is]) => (is === 'passed' ? title : []));
  if (passed !== undefined) return { is: 'survived', why: `passes: ${passed}` };
  return { is: 'caught', why: sabotage.catchers.map(({ file }) => file).join(', ') };
}

const caught = results.filter(({ is }) => is === 'caught').length;
if (values.json) {
  process.stdout.write(`${JSON.stringify({ caught, of: results.length, results }, null, 2)}\n`);
} else {
  const wide = Math.max(...results.map(({ name }) => name.length));
  for (const { name, is, why, seconds } of results) {
    const time = `${seconds.toFixed(1)} s`.padStart(8);
    process.stdout.write(`${name.padEnd(wide)} ${is.padEnd(8)} ${time}  ${why}\n`);
  }
  process.stdout.write(`${caught} of ${results.length} caught\n`);
}
process.exitCode = caught === results.length ? 0 : 1;
