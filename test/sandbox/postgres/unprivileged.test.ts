import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findRunner } from '../../../sandbox/postgres/unprivileged.ts';

const isRoot = process.getuid?.() === 0;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unprivileged-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test.skipIf(isRoot)('an ordinary user runs the program directly', () => {
  expect(findRunner(process.execPath, folder)).toEqual({ prefix: [] });
});

describe.runIf(isRoot)('root', () => {
  test('runs it in a namespace where root only appears as nobody', () => {
    expect(findRunner(process.execPath, folder)).toMatchObject({ owner: 0 });
  });

  test('throws an error that says what to do when no way reaches the folder', () => {
    const nobody = { prefix: [], uid: 65_534, owner: 65_534 };

    expect(() => findRunner('/bin/ls', folder, [nobody])).toThrow(
      /Run as an ordinary user, or move/,
    );
    expect(findRunner('/bin/ls', tmpdir(), [nobody])).toBe(nobody);
  });

  test('skips a way whose tool is missing', () => {
    const missing = { prefix: ['no-such-tool', '--'], owner: 0 };
    const present = { prefix: ['env'], owner: 0 };

    expect(findRunner('/bin/ls', folder, [missing, present])).toBe(present);
  });
});
