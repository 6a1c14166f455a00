import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { findRunner } from '../../../sandbox/postgres/unprivileged.ts';
import { useFolder } from '../fixtures.ts';

const isRoot = process.getuid?.() === 0;

const folder = useFolder('unprivileged-');

test.skipIf(isRoot)('an ordinary user runs the program directly', () => {
  expect(findRunner(process.execPath, folder.path)).toEqual({ prefix: [] });
});

describe.runIf(isRoot)('root', () => {
  test('runs it in a namespace where root only appears as nobody', () => {
    expect(findRunner(process.execPath, folder.path)).toMatchObject({ owner: 0 });
  });

  test('throws an error that says what to do when no way reaches the folder', () => {
    const nobody = { prefix: [], uid: 65_534, owner: 65_534 };

    expect(() => findRunner('/bin/ls', folder.path, [nobody])).toThrow(
      /Run as an ordinary user, or move/,
    );
    expect(findRunner('/bin/ls', tmpdir(), [nobody])).toBe(nobody);
  });

  test('skips a way whose tool is missing', () => {
    const missing = { prefix: ['no-such-tool', '--'], owner: 0 };
    const present = { prefix: ['env'], owner: 0 };

    expect(findRunner('/bin/ls', folder.path, [missing, present])).toBe(present);
  });
});
