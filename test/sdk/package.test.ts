import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { generatedFiles } from '../../sdk/generate.ts';
import { type BuiltPackage, buildPackage, compile, ROOT } from './built-package.ts';

const execute = promisify(execFile);
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const Manifest = z.object({
  version: z.string(),
  license: z.string(),
  exports: z.record(z.string(), z.unknown()).optional(),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()).optional(),
});
const root = Manifest.parse(JSON.parse(read('package.json')));
const own = Manifest.parse(JSON.parse(read('sdk/package.json')));

let built: BuiltPackage;
beforeAll(async () => {
  built = await buildPackage();
  await symlink(join(ROOT, 'node_modules/@types'), join(built.folder, 'node_modules/@types'));
  await symlink(
    join(ROOT, 'node_modules/undici-types'),
    join(built.folder, 'node_modules/undici-types'),
  );
  await writeFile(join(built.folder, 'package.json'), '{ "type": "module" }');
});
afterAll(() => built.remove());

describe('the generated files', () => {
  it('are those of the committed document', async () => {
    for (const [path, text] of await generatedFiles()) {
      const why = `${path} is out of date: run npm run openapi`;
      expect(readFileSync(path, 'utf8') === text, why).toBe(true);
    }
  });
});

describe('the manifest', () => {
  it('agrees with the one of the repository', () => {
    expect([own.version, own.license]).toEqual([root.version, root.license]);
    expect(read('sdk/LICENSE')).toBe(read('LICENSE'));
    for (const [name, version] of Object.entries(own.dependencies)) {
      expect(root.devDependencies?.[name], name).toBe(version);
      expect(root.dependencies[name], `${name} is for the client only`).toBeUndefined();
    }
  });

  it('names only files that are built, and what its code imports', () => {
    const named = JSON.stringify(own.exports).match(/\.\/dist\/[\w./]+/g) ?? [];
    expect(named.filter((path) => !existsSync(join(built.path, path)))).toEqual([]);
    expect(named).toHaveLength(2);
    const imported = ['client', 'exchange', 'follow', 'webhooks'].flatMap((name) => [
      ...readFileSync(join(built.path, `dist/${name}.js`), 'utf8').matchAll(/from '([^.'][^']*)'/g),
    ]);
    const packages = new Set(imported.map(([, name]) => name));
    expect([...packages]).toEqual(Object.keys(own.dependencies));
  });
});

const SCENE = `
declare global {
  const session: { accessToken(how: { refresh: boolean }): Promise<string> };
  const view: {
    signal: AbortSignal;
    show(wallets: Wallet[]): void;
    showWallet(wallet: Wallet): void;
    showRedemption(redemption: Redemption): void;
  };
  const secrets: string[];
  const walletId: string;
  const cartId: number;
  function handleOnce(id: string, type: string, data: object): Promise<void>;
}
type Wallet = import('loyalty-points-client').components['schemas']['Wallet'];
type Redemption = import('loyalty-points-client').components['schemas']['Redemption'];
export {};
`;
/** What the samples after the first one stand on. */
const IMPORTS = `import { createClient, isLoyaltyError } from 'loyalty-points-client';
const client = createClient({ baseUrl: 'https://api.example.com' });
void isLoyaltyError;
`;
const WRONG = `import { createClient, isLoyaltyError } from 'loyalty-points-client';
const client = createClient({ baseUrl: 'https://api.example.com' });
// @ts-expect-error the wallet is missing
await client.showWallet();
// @ts-expect-error there is no such field
await client.listWalletHistory({ walletId: 'w', page: 2 });
// @ts-expect-error points are a number
await client.confirmRedemption({ walletId: 'w', body: { pointsToRedeem: '1' } });
// @ts-expect-error a stream is followed, not called
await client.followEvents({ body: 1 });
// @ts-expect-error it is no list
client.all.showWallet({ walletId: 'w' });
// @ts-expect-error there is no such code
isLoyaltyError(undefined, 'code_eaten');
export const balances: number[] = (await client.listWallets()).map(({ balance }) => balance);
`;

describe('a project that has installed the package', () => {
  const samples = [...read('sdk/README.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)];

  it.each([
    { where: 'Node', args: ['--module', 'nodenext', '--types', 'node'] },
    {
      where: 'a bundler for browsers',
      args: ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom'],
    },
  ])('compiles the samples of the README in $where, and refuses mistakes', async ({ args }) => {
    expect(samples.length).toBeGreaterThan(6);
    const files = samples.map(([, text = ''], index): [string, string] => {
      const imports = /^import .*verifyWebhook|createClient\(/m.test(text) ? '' : IMPORTS;
      return [`sample-${index}.ts`, `${imports}${text}\nexport {};\n`];
    });
    files.push(['wrong.ts', WRONG], ['scene.d.ts', SCENE]);
    for (const [name, text] of files) await writeFile(join(built.folder, name), text);
    const names = files.map(([name]) => name);
    expect(await compile(built.folder, [...args, ...names])).toBe('');
  });

  it('loads it in Node', async () => {
    const code = `import * as sdk from 'loyalty-points-client';
      const client = sdk.createClient({ baseUrl: 'http://127.0.0.1:9', retries: { attempts: 1 } });
      const code = await client.listWallets().catch((error) => error.code);
      console.log(JSON.stringify({ names: Object.keys(sdk), code }));`;
    const args = ['--input-type=module', '-e', code];
    const { stdout } = await execute(process.execPath, args, { cwd: built.folder });
    expect(JSON.parse(stdout)).toEqual({
      names: [
        'LoyaltyError',
        'WebhookVerificationError',
        'createClient',
        'decimalsOf',
        'formatMinorUnits',
        'isLoyaltyError',
        'verifyWebhook',
      ],
      code: 'UNREACHABLE',
    });
  });
});
