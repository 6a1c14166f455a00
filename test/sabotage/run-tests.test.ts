import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ROOT } from './patches.ts';
import { runTests } from './run-tests.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'run-tests-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
const write = (path: string, text: string) => writeFileSync(join(folder, path), text);

it('tells a test that fails from one that passes, and from one that did not run', async () => {
  write('vitest.config.ts', `export default { test: { include: ['*.test.ts'] } };\n`);
  write(
    'some.test.ts',
    `import { describe, expect, it } from 'vitest';
     describe('sums', () => {
       it('adds up', () => expect(1 + 1).toBe(3));
       it('adds', () => expect(1 + 1).toBe(2));
       it.each([1, 2])('has %i points', (points) => expect(points).toBe(1));
     });`,
  );
  write('broken.test.ts', `import 'nowhere';\nit('never runs', () => {});\n`);
  const catchers = [
    { file: 'some.test.ts', title: 'adds up' },
    { file: 'some.test.ts', title: 'adds' },
    { file: 'some.test.ts', title: 'has %i points' },
    { file: 'some.test.ts', title: 'subtracts' },
    { file: 'broken.test.ts', title: 'never runs' },
  ];
  const endings = await runTests(folder, catchers);
  expect(catchers.map((catcher) => endings.get(catcher))).toEqual([
    'failed',
    'passed',
    'failed',
    'missing',
    'missing',
  ]);
}, 60_000);
