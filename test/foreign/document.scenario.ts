import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { OPENAPI_FILES } from '../../api/openapi/file.ts';
import { aTenant, aUser, aWallet } from '../support/factories.ts';
import { needs } from '../support/needs.ts';
import { startIssuer } from '../support/people/issuer.ts';
import { ensurePython, ensureReaders, ifThere } from './programs.ts';
import { cleanUps, makeFolder, startRealService } from './service.ts';

// The documents, read by the programs with which people judge them and make clients of them.

const execute = promisify(execFile);
const readers = await ensureReaders();
const python = await ensurePython('openapi-python-client');
const bin = 'path' in readers ? readers.path : '';

const undo = cleanUps();
let folder: string;
beforeAll(async () => {
  folder = await makeFolder(undo);
  await symlink(dirname(bin), join(folder, 'node_modules'));
});
afterAll(() => undo.run());

/** Runs a program, and returns what it wrote, whether it succeeded or not. */
async function run(program: string, args: readonly string[]) {
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const env = { ...process.env, ...quiet, NO_COLOR: '1', HOME: folder };
  const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
  return execute(program, [...args], options).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout: stdout || stderr,
    }),
  );
}

/** What redocly may find: nothing to refuse, a browser that is sent on, and `/docs/` itself. */
const REDIRECTS = ['/docs/', '/api/v1', '/.well-known/', '/oauth/'];
const isExpected = (rule: string, pointer: string) =>
  rule === 'operation-4xx-response' ||
  (rule === 'no-path-trailing-slash' && pointer.endsWith('/~1docs~1')) ||
  (rule === 'operation-2xx-response' &&
    REDIRECTS.some((path) => pointer.includes(path.replaceAll('/', '~1'))));

const Problems = z.object({
  problems: z.array(
    z.object({
      ruleId: z.string(),
      message: z.string(),
      location: z.array(z.object({ pointer: z.string() })),
    }),
  ),
});

const SPECTRAL_RULES = {
  extends: [['spectral:oas', 'all']],
  // The document cannot know who runs the service that serves it.
  rules: { 'contact-properties': 'off' },
};

describe('linters', ifThere(readers), () => {
  it.each(['apps', 'internal'] as const)(
    'redocly, at its strictest, finds nothing in the document for %s',
    async (audience) => {
      const options = ['--extends=recommended-strict', '--format=json', '--max-problems=1000'];
      const { stdout } = await run(join(bin, 'redocly'), [
        'lint',
        ...options,
        OPENAPI_FILES[audience],
      ]);
      const { problems } = Problems.parse(JSON.parse(stdout));
      const found = problems.map(({ ruleId, message, location: [at] }) => ({
        ruleId,
        message,
        pointer: at?.pointer ?? '',
      }));
      expect(found.filter(({ ruleId, pointer }) => !isExpected(ruleId, pointer))).toEqual([]);
      // The keys of statements can be asked for without any way to be refused, and a link of mails
      // leads on.
      if (audience === 'apps') expect(found.length).toBeLessThanOrEqual(2);
    },
  );

  it('spectral, with all of its rules, finds nothing in the document for apps', async () => {
    const ruleset = join(folder, 'spectral.json');
    await writeFile(ruleset, JSON.stringify(SPECTRAL_RULES));
    const args = ['lint', '--ruleset', ruleset, '--fail-severity', 'hint', OPENAPI_FILES.apps];
    expect(await run(join(bin, 'spectral'), args)).toEqual({
      code: 0,
      stdout: expect.stringContaining('No results'),
    });
  });
});

const USE = `import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript/schema';

const client = createClient<paths>({ baseUrl: 'https://api.example.com' });
const { data, error } = await client.GET('/api/v1/consumer/wallets/{walletId}/history', {
  params: { path: { walletId: 'a wallet' }, query: { limit: 2 } },
});
export const points: number[] = (data ?? []).map((entry) => entry.points);
export const code: string | undefined = error?.issues?.[0]?.code;
// @ts-expect-error there is no such address
await client.GET('/api/v1/consumer/wallet');
`;

const STRICT = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    skipLibCheck: true,
  },
};

describe('generators for TypeScript', ifThere(readers), () => {
  const { apps } = OPENAPI_FILES;

  it.each([
    ['openapi-typescript', [apps, '-o', 'openapi-typescript/schema.ts']],
    ['openapi-ts', ['-i', apps, '-o', 'openapi-ts']],
    ['orval', ['--input', apps, '--output', 'orval/api.ts', '--client', 'fetch']],
  ])('%s makes a client whose types are strictly right', async (program, args) => {
    const made = await run(join(bin, program), args);
    expect(made).toMatchObject({ code: 0 });
    const isFirst = program === 'openapi-typescript';
    if (isFirst) await writeFile(join(folder, 'use.ts'), USE);
    const include = [program, ...(isFirst ? ['use.ts'] : [])];
    const project = join(folder, `${program}.json`);
    await writeFile(project, JSON.stringify({ ...STRICT, include }));
    expect(await run(join(bin, 'tsc'), ['-p', project])).toEqual({ code: 0, stdout: '' });
  });
});

describe('openapi-python-client', ifThere(python), () => {
  it('makes a client of every schema, in which mypy finds nothing', async () => {
    const program = 'path' in python ? python.path : '';
    const config = join(folder, 'python.json');
    await writeFile(config, JSON.stringify({ post_hooks: [] }));
    const options = ['--path', OPENAPI_FILES.apps, '--output-path', 'python', '--config', config];
    const generate = ['-m', 'openapi_python_client', 'generate', '--fail-on-warning'];
    const made = await run(program, [...generate, ...options]);
    expect(made).toMatchObject({ code: 0 });

    const { components } = z
      .object({ components: z.object({ schemas: z.record(z.string(), z.looseObject({})) }) })
      .parse(JSON.parse(await readFile(OPENAPI_FILES.apps, 'utf8')));
    const models = await readdir(join(folder, 'python/loyalty_points_client/models'));
    // One of several others has no class of its own, but a type where it is used.
    const classes = Object.entries(components.schemas).filter(
      ([, schema]) => !('oneOf' in schema) && !('anyOf' in schema),
    );
    const wanted = classes.map(([name]) =>
      name.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
    );
    // A word of Python itself has a line after it.
    const isThere = (name: string) =>
      [`${name}.py`, `${name}_.py`].some((is) => models.includes(is));
    expect(wanted.filter((name) => !isThere(name))).toEqual([]);
    const checked = await run(program, ['-m', 'mypy', '--strict', 'python/loyalty_points_client']);
    expect(checked).toMatchObject({ code: 0 });
  });
});

describe('oapi-codegen', needs('go'), () => {
  /** The version that its go.mod names, by the checksums in its go.sum. */
  const SOURCE = fileURLToPath(new URL('go/', import.meta.url));

  it('makes a client in Go, which compiles and reads a balance', async () => {
    const cwd = join(folder, 'go');
    await cp(SOURCE, cwd, { recursive: true });
    await mkdir(join(cwd, 'points'));
    const go = (...args: string[]) => execute('go', args, { cwd });
    await go('tool', 'oapi-codegen', '-config', 'oapi-codegen.yaml', OPENAPI_FILES.apps);
    await go('build', '-o', 'client', '.');

    const issuer = await startIssuer();
    undo.add(issuer.close);
    const { db, apiUrl } = await startRealService(undo, { OIDC_ISSUER: issuer.url });
    const [sub, email] = ['ada', 'ada@shop.example'];
    const userId = await aUser(db, { iss: issuer.url, sub, email });
    await aWallet(db, {
      userId,
      tenantId: await aTenant(db, { name: 'Corner Café' }),
      balance: 12_345,
    });
    const ask = (token: string) => execute(join(cwd, 'client'), [apiUrl, token]);
    const token = await issuer.token({ sub, email, email_verified: true });
    expect(await ask(token)).toMatchObject({ stdout: 'Corner Café: 12345 points\n' });
    expect(await ask('nonsense')).toMatchObject({ stdout: 'UNAUTHORIZED\n' });
  }, 900_000);
});
