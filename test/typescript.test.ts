import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { stripsTypes } from '../bench/production-node.ts';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'typescript-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program with types as the scripts do, after this code. */
async function runAfter(before: string): Promise<string> {
  writeFileSync(join(folder, 'before.cjs'), before);
  writeFileSync(join(folder, 'typed.mts'), "const what: string = 'ran'; console.log(what);\n");
  const args = ['--require', join(folder, 'before.cjs'), '--import', './typescript.js'];
  return (await execute(process.execPath, [...args, join(folder, 'typed.mts')], { cwd: ROOT }))
    .stdout;
}

describe('typescript.js', () => {
  it('lets any Node of ours run TypeScript', async () => {
    expect(await runAfter('')).toBe('ran\n');
  });

  it.skipIf(stripsTypes())('loads nothing where Node says that it removes types', async () => {
    const says = "Object.defineProperty(process.features, 'typescript', { value: 'strip' });";
    await expect(runAfter(says)).rejects.toThrow('ERR_UNKNOWN_FILE_EXTENSION');
  });

  it('is how each script runs a program', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));
    const programs = Object.values(scripts).flatMap((script) =>
      [...script.matchAll(/\bnode (\S.*?) ?\S+\.ts\b/g)].map(([, options]) => options),
    );
    expect(programs.length).toBeGreaterThan(15);
    expect(new Set(programs)).toEqual(new Set(['--import ./typescript.js']));
  });
});
