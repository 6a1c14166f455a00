import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acquireLock } from '../../../sandbox/processes/lock-file.ts';
import { startedAt } from '../../../sandbox/processes/processes.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

test('one of twenty concurrent attempts holds the lock, the others name its holder', async () => {
  const path = join(folder, 'owner');

  const locks = await Promise.all(Array.from({ length: 20 }, () => acquireLock(path)));

  expect(locks.filter((each) => each.held)).toHaveLength(1);
  expect(locks.filter((each) => !each.held && each.by === process.pid)).toHaveLength(19);
  expect(await readdir(folder)).toEqual(['owner']);
});

test('a released lock can be acquired again', async () => {
  const path = join(folder, 'owner');
  const first = await acquireLock(path);
  if (first.held) await first.release();

  expect((await acquireLock(path)).held).toBe(true);
});

test.each([
  ['that does not run', '999999999 1 aa'],
  ['whose pid another process has now', `${process.pid} 1 aa`],
  ['that cannot be parsed', ''],
])('a holder %s is replaced by exactly one of twenty', async (_, content) => {
  const path = join(folder, 'owner');
  await writeFile(path, content);

  const locks = await Promise.all(Array.from({ length: 20 }, () => acquireLock(path)));

  expect(locks.filter((each) => each.held)).toHaveLength(1);
  expect(await readFile(path, 'utf8')).toContain(`${process.pid} ${startedAt(process.pid)}`);
});

test('releasing does not remove the lock of a later holder', async () => {
  const path = join(folder, 'owner');
  const first = await acquireLock(path);
  const later = `${process.pid} ${startedAt(process.pid)} later`;
  await writeFile(path, later);

  if (first.held) await first.release();

  expect(await readFile(path, 'utf8')).toBe(later);
});
