import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeLinks, postgresBinaries } from '../../../sandbox/postgres/binaries.ts';
import { useFolder } from '../fixtures.ts';

const folder = useFolder('binaries-');

test('finds the programs of PostgreSQL 18, which run', async () => {
  const { initdb, postgres } = await postgresBinaries();

  expect(execFileSync(initdb, ['--version']).toString()).toContain('(PostgreSQL) 18.');
  expect(execFileSync(postgres, ['--version']).toString()).toContain('(PostgreSQL) 18.');
});

test('creates missing links once, after an installation without scripts', () => {
  const lib = join(folder.path, 'native', 'lib');
  mkdirSync(lib, { recursive: true });
  writeFileSync(join(lib, 'libx.so.1.2'), 'library');
  const links = ['native/lib/libx.so', 'native/lib/libx.so.1'].map((target) => ({
    source: 'native/lib/libx.so.1.2',
    target,
  }));
  writeFileSync(join(folder.path, 'native', 'pg-symlinks.json'), JSON.stringify(links));

  makeLinks(folder.path);
  makeLinks(folder.path);

  expect(readlinkSync(join(lib, 'libx.so.1'))).toBe('libx.so.1.2');
  expect(readFileSync(join(lib, 'libx.so'), 'utf8')).toBe('library');
});

test('leaves a package without a list of links unchanged', () => {
  expect(() => makeLinks(folder.path)).not.toThrow();
});
