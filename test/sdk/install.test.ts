import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from './built-package.ts';

// The first lines of the README, run as they stand.

const execute = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'loyalty-install-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What is installed already, so that npm asks no registry for it. */
const PRESENT = ['openapi-fetch', 'openapi-typescript-helpers'];

describe('the first commands of the README', () => {
  it('install the package from the repository into an app beside it', async () => {
    const repository = join(folder, 'loyalty-points-service');
    const app = join(folder, 'my-app');
    await mkdir(repository);
    await mkdir(app);
    for (const name of ['package.json', 'tsconfig.json', 'sdk']) {
      await cp(join(ROOT, name), join(repository, name), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(repository, 'node_modules'));
    const dependencies = PRESENT.map((name) => [name, `file:${join(ROOT, 'node_modules', name)}`]);
    const manifest = { type: 'module', dependencies: Object.fromEntries(dependencies) };
    await writeFile(join(app, 'package.json'), JSON.stringify(manifest));
    const readme = await readFile(join(ROOT, 'sdk/README.md'), 'utf8');
    const [, commands = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(readme) ?? [];
    expect(commands.trim().split('\n')).toHaveLength(2);
    const env = { ...process.env, npm_config_offline: 'true', npm_config_audit: 'false' };
    await execute('sh', ['-ec', commands], { cwd: repository, env });
    const code = `import { createClient } from 'loyalty-points-client';
      console.log(typeof createClient({ baseUrl: 'http://127.0.0.1:9' }).listWallets);`;
    const run = await execute(process.execPath, ['--input-type=module', '-e', code], { cwd: app });
    expect(run.stdout.trim()).toBe('function');
  });
});
