import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { acquireLock } from '../../../sandbox/processes/lock-file.ts';
import { startedAt } from '../../../sandbox/processes/processes.ts';
import { useFolder } from '../fixtures.ts';

const folder = useFolder('lock-');

test('one of twenty concurrent attempts holds the lock, the others name its holder', async () => {
  const path = join(folder.path, 'owner');

  const locks = await Promise.all(Array.from({ length: 20 }, () => acquireLock(path)));

  expect(locks.filter((each) => each.held)).toHaveLength(1);
  expect(locks.filter((each) => !each.held && each.by === process.pid)).toHaveLength(19);
  expect(await readdir(folder.path)).toEqual(['owner']);
});

test('a released lock can be acquired again', async () => {
  const path = join(folder.path, 'owner');
  const first = await acquireLock(path);
  if (first.held) await first.release();

  expect((await acquireLock(path)).held).toBe(true);
});

test.each([
  ['that does not run', '999999999 1 aa'],
  ['whose pid another process has now', `${process.pid} 1 aa`],
  ['that cannot be parsed', ''],
])('a holder %s is replaced by exactly one of twenty', async (_, content) => {
  const path = join(folder.path, 'owner');
  await writeFile(path, content);

  const locks = await Promise.all(Array.from({ length: 20 }, () => acquireLock(path)));

  expect(locks.filter((each) => each.held)).toHaveLength(1);
  expect(await readFile(path, 'utf8')).toContain(`${process.pid} ${startedAt(process.pid)}`);
});

test('releasing does not remove the lock of a later holder', async () => {
  const path = join(folder.path, 'owner');
  const first = await acquireLock(path);
  const later = `${process.pid} ${startedAt(process.pid)} later`;
  await writeFile(path, later);

  if (first.held) await first.release();

  expect(await readFile(path, 'utf8')).toBe(later);
});
