import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

const folder = mkdtempSync(join(tmpdir(), 'loyalty-needs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => {
  symlinkSync(MODULES, join(folder, 'node_modules'));
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const setup = JSON.stringify(join(HERE, 'missing-programs.ts'));
  write(
    'vitest.config.mjs',
    `export default { test: { include: ['*.test.ts'], globalSetup: [${setup}] } };`,
  );
  const needs = JSON.stringify(join(HERE, 'needs.ts'));
  const imports = `import { describe, it } from 'vitest'; import { needs } from ${needs};`;
  const succeed = `() => { console.log('has run'); }`;
  write(
    'some.test.ts',
    `${imports}
    describe('a proxy', needs('promtool'), () => {
      it.each([1, 2])('forwards %i', ${succeed});
    });
    it('is not part of it', ${succeed});`,
  );
  write('other.test.ts', `${imports} it('is one', needs('docker-compose'), ${succeed});`);
});

/** Runs the files on a machine that has only these programs beside Node. */
function run(programs: readonly string[], env: Record<string, string>) {
  const bin = mkdtempSync(join(folder, 'bin-'));
  for (const program of programs) symlinkSync('/bin/true', join(bin, program));
  const vitest = join(MODULES, 'vitest/vitest.mjs');
  const { status, stdout } = spawnSync(process.execPath, [vitest, 'run', '--maxWorkers=1'], {
    cwd: folder,
    env: { PATH: bin, ...env },
    encoding: 'utf8',
  });
  return { status, ran: stdout.split('has run').length - 1, lines: stdout.trim().split('\n') };
}

const SKIPPED = [
  'Skipped: 1 test of other.test.ts needs docker-compose (apt-get install docker-compose)',
  'Skipped: 2 tests of some.test.ts need promtool (apt-get install prometheus)',
];

describe('tests that need what a machine lacks', () => {
  it('are skipped, and counted by file and program in the last lines', () => {
    const { status, ran, lines } = run([], {});
    expect({ status, ran }).toEqual({ status: 0, ran: 1 });
    expect(lines.slice(-2).toSorted()).toEqual(SKIPPED);
  });

  it('fail the run in CI', () => {
    const { status, lines } = run([], { CI: 'true' });
    expect(status).toBe(1);
    expect(lines.slice(-3, -1).toSorted()).toEqual(SKIPPED);
    expect(lines.at(-1)).toBe('CI is set: nothing may be skipped for want of a program.');
  });

  it('run where it is there, and nothing is said', () => {
    const { status, ran, lines } = run(['promtool', 'docker-compose'], { CI: 'true' });
    expect({ status, ran }).toEqual({ status: 0, ran: 4 });
    expect(lines.join()).not.toContain('Skipped:');
  });
});
