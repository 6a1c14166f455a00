import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { needs } from '../support/needs.ts';
import { buildTool } from './manifests.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const FOLDER = '.github/workflows';
const workflows = readdirSync(join(ROOT, FOLDER)).map((name) => join(FOLDER, name));

const Step = z.strictObject({
  name: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  run: z.string(),
});
const Job = z.object({
  strategy: z.object({ matrix: z.object({ command: z.array(z.string()) }) }).optional(),
  steps: z.array(Step),
});
const Workflow = z.object({
  permissions: z.strictObject({ contents: z.literal('read') }),
  jobs: z.record(z.string(), Job),
});

describe.each(workflows)('%s', (path) => {
  it('runs commands of this repository only, and may read and nothing else', () => {
    const { jobs } = Workflow.parse(parse(read(path)));
    expect(Object.keys(jobs)).toHaveLength(1);
  });

  it('names only scripts that package.json has', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    const jobs = Object.values(Workflow.parse(parse(read(path))).jobs);
    const commands = jobs.flatMap(({ strategy }) => strategy?.matrix.command ?? []);
    const unknown = commands.filter((each) => scripts[each.split(' ')[0] ?? ''] === undefined);
    expect(unknown).toEqual([]);
  });
});

describe('the workflows', needs('go'), () => {
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-workflows-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('are valid', { timeout: 600_000 }, () => {
    const actionlint = buildTool(folder, 'github.com/rhysd/actionlint/cmd/actionlint');
    const lint = () => execFileSync(actionlint, ['-no-color', ...workflows], { cwd: ROOT });
    expect(lint).not.toThrow();
  });
});
