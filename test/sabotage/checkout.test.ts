import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { copyCheckout } from './checkout.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'checkout-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const git = (...args: string[]) => execFileSync('git', args, { cwd: root });
const write = (path: string, text: string) => writeFileSync(join(root, path), text);

it('copies the files as they are now, and shares the packages', () => {
  git('init', '--quiet');
  for (const folder of ['db', 'node_modules', 'made']) mkdirSync(join(root, folder));
  write('.gitignore', 'node_modules\nmade\n');
  write('db/changed.ts', 'before');
  write('removed.ts', 'gone');
  git('add', '--all');
  write('db/changed.ts', 'now');
  write('new.ts', 'new');
  write('made/by-a-tool.txt', 'no source');
  write('node_modules/package.txt', 'a package');
  rmSync(join(root, 'removed.ts'));

  const { folder, remove } = copyCheckout(root);
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  expect(read('db/changed.ts')).toBe('now');
  expect(read('new.ts')).toBe('new');
  expect(read('node_modules/package.txt')).toBe('a package');
  for (const path of ['removed.ts', 'made', '.git']) {
    expect(existsSync(join(folder, path)), path).toBe(false);
  }
  remove();
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(join(root, 'node_modules/package.txt'))).toBe(true);
});
