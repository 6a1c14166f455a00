import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { copyCheckout } from '../sabotage/checkout.ts';
import { ROOT } from '../sabotage/patches.ts';
import { runTests } from '../sabotage/run-tests.ts';
import { apply, type Part, readRecipe } from './recipe.ts';

// Applies a recipe to a copy of the checkout: types, lint and its tests pass there. Then leaves out
// one part after the other: types or one of the tests must fail.

const say = (line: string) => process.stderr.write(`${line}\n`);
const recipe = readRecipe('gamma');
const { folder, remove } = copyCheckout(ROOT);
const failures: string[] = [];
try {
  apply(readFileSync(recipe.path, 'utf8'), folder, 'in');
  runOrThrow('openapi');
  runOrThrow('types');
  const written = recipe.parts.map(({ file }) => file).filter((file) => file.endsWith('.ts'));
  if (!run('exec', '--', 'biome', 'check', ...written)) failures.push('lint fails');
  const endings = await runTests(folder, recipe.catchers);
  for (const [{ file, title }, is] of endings) {
    if (is !== 'passed') failures.push(`${is}: ${file} › ${title}`);
  }
  say(`With all of its parts: ${failures.length === 0 ? 'types, lint and tests pass' : 'fails'}`);
  if (failures.length === 0) await leaveOutEach();
} finally {
  remove();
}
for (const failure of failures) process.stdout.write(`${failure}\n`);
process.stdout.write(failures.length === 0 ? 'Every part is needed\n' : '');
process.exitCode = failures.length === 0 ? 0 : 1;

async function leaveOutEach(): Promise<void> {
  for (const part of recipe.parts.filter(({ file }) => !file.endsWith('.test.ts'))) {
    apply(part.patch, folder, 'out');
    const caught = await whatCatches(part);
    apply(part.patch, folder, 'in');
    const name = `${part.file}:${part.line}`;
    say(`Without ${name}: ${caught ?? 'nothing fails'}`);
    if (caught === undefined) failures.push(`not missed: ${name}`);
  }
}

/** What fails without the part of the recipe that was left out: the types, or a test. */
async function whatCatches({ file }: Part): Promise<string | undefined> {
  if (file.endsWith('.ts') && !run('run', 'types')) return 'types';
  const endings = await runTests(folder, recipe.catchers);
  return [...endings].find(([, is]) => is !== 'passed')?.[0].title;
}

function run(...args: string[]): boolean {
  return spawnSync('npm', args, { cwd: folder, stdio: 'ignore' }).status === 0;
}

function runOrThrow(script: string): void {
  if (!run('run', script)) throw new Error(`npm run ${script} fails with the whole recipe`);
}
