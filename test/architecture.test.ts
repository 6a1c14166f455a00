import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Imports, readImports } from './architecture/imports.ts';
import { findingsIn, type Source } from './architecture/source-rules.ts';
import { ELSEWHERE } from './architecture/tested-elsewhere.ts';

const ROOT = resolve(fileURLToPath(new URL('..', import.meta.url)));
const SKIPPED = new Set([
  'node_modules',
  '.git',
  '.sandbox',
  'coverage',
  'histories',
  'sdk/generated',
  'sdk/dist',
  'web/dist',
]);

function sourcesBelow(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (SKIPPED.has(entry.name) || SKIPPED.has(path)) return [];
    if (entry.isDirectory()) return sourcesBelow(path);
    return /\.tsx?$/.test(path) ? [{ path, text: readFileSync(join(ROOT, path), 'utf8') }] : [];
  });
}

const sources = sourcesBelow('.');
const paths = sources.map(({ path }) => path);
const tables = sources
  .filter(({ path }) => path.startsWith('migrations/'))
  .flatMap(({ text }) => [...text.matchAll(/create (?:unlogged )?table (\w+)/g)])
  .flatMap(([, table]) => table ?? []);

describe('imports', () => {
  let imports: Imports;
  beforeAll(async () => {
    imports = await readImports(ROOT);
  });

  it('every source file is checked', () => {
    const seen = new Set(imports.modules.map(({ source }) => source));
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter((path) => !seen.has(path))).toEqual([]);
  });

  it('no import breaks a rule', () => {
    expect(imports.violations).toEqual([]);
  });
});

describe('the rules on imports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'imports-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Returns the rules that a tree of files breaks in which one file imports another. */
  async function brokenBy(from: string, statement: string, to?: string): Promise<string[]> {
    const files = new Map([[from, statement]]);
    if (to !== undefined) files.set(to, 'export const it = 1;\nexport type It = number;\n');
    for (const name of ['zod', 'koa', 'knex', '@temporalio/workflow']) {
      files.set(`node_modules/${name}/package.json`, `{"name":"${name}","main":"index.js"}`);
      files.set(`node_modules/${name}/index.js`, 'exports.it = 1;\n');
    }
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const { violations } = await readImports(folder);
    return violations.map((violation) => violation.replace(/:.*/, ''));
  }

  const it_ = (path: string) => `import { it } from '${path}';\nexport const own = it;\n`;
  const type = (path: string) => `import type { It } from '${path}';\nexport type Own = It;\n`;

  it.each([
    { from: 'domain/a.ts', to: 'db/b.ts', rule: 'domain-is-pure' },
    { from: 'domain/a.ts', to: 'config.ts', rule: 'domain-is-pure' },
    { from: 'domain/a.ts', to: 'node:crypto', rule: 'domain-is-pure' },
    { from: 'domain/a.ts', to: 'koa', rule: 'domain-is-pure' },
    { from: 'db/a.ts', to: 'gateways/b.ts', rule: 'db-speaks-sql-only' },
    { from: 'db/a.ts', to: 'koa', rule: 'db-speaks-sql-only' },
    { from: 'migrations/0001_a.ts', to: 'domain/b.ts', rule: 'migrations-stand-alone' },
    { from: 'gateways/a.ts', to: 'db/b.ts', rule: 'gateways-know-the-domain-only' },
    { from: 'gateways/a.ts', to: 'api/b.ts', rule: 'gateways-know-the-domain-only' },
    { from: 'activities/a.ts', to: 'workflows/b.ts', rule: 'activities-know-no-caller' },
    { from: 'activities/a.ts', to: 'api/b.ts', rule: 'activities-know-no-caller' },
    { from: 'api/a.ts', to: 'worker/b.ts', rule: 'api-knows-no-worker' },
    { from: 'api/a.ts', to: 'workflows/b.ts', rule: 'api-starts-workflows-in-one-place' },
    { from: 'api/routes/a.ts', to: 'activities/b.ts', rule: 'api-starts-workflows-in-one-place' },
    { from: 'worker/a.ts', to: 'api/b.ts', rule: 'worker-knows-no-api' },
    { from: 'api/a.ts', to: 'sandbox/b.ts', rule: 'service-imports-no-tooling' },
    { from: 'db/a.ts', to: 'ops/b.ts', rule: 'service-imports-no-tooling' },
    { from: 'sandbox/a.ts', to: 'test/b.ts', rule: 'tests-are-imported-by-tests' },
    { from: 'sdk/a.ts', to: 'domain/b.ts', rule: 'sdk-stands-alone' },
    { from: 'sdk/a.ts', to: 'zod', rule: 'sdk-runs-in-browsers' },
    { from: 'sdk/a.ts', to: 'node:crypto', rule: 'sdk-runs-in-browsers' },
    { from: 'sandbox/a.ts', to: 'sdk/b.ts', rule: 'sdk-is-used-by-apps-and-tests' },
    { from: 'api/a.ts', to: 'sdk/b.ts', rule: 'sdk-is-used-by-apps-and-tests' },
    { from: 'web/till/a.ts', to: 'sdk/b.ts', rule: 'apps-know-the-sdk-only' },
    { from: 'web/till/a.ts', to: 'domain/b.ts', rule: 'apps-know-the-sdk-only' },
    { from: 'web/shared/a.ts', to: 'node:crypto', rule: 'apps-run-in-browsers' },
    { from: 'web/till/a.ts', to: 'web/wallet/b.ts', rule: 'apps-stand-apart' },
    { from: 'sandbox/a.ts', to: 'web/shared/b.ts', rule: 'apps-are-served-not-imported' },
    { from: 'api/a.ts', to: 'web/policy.ts', rule: 'service-imports-no-tooling' },
    {
      from: 'sandbox/providers/beta/a.ts',
      to: 'sandbox/providers/alpha/b.ts',
      rule: 'providers-stand-apart',
    },
    {
      from: 'sandbox/providers/shared/a.ts',
      to: 'sandbox/providers/beta/b.ts',
      rule: 'providers-stand-apart',
    },
    { from: 'api/a.ts', to: 'config.ts', rule: 'config-is-read-by-mains' },
    { from: 'config.ts', to: 'domain/b.ts', rule: 'config-needs-little' },
    { from: 'api/streams/a.ts', to: 'api/routes/b.ts', rule: 'streams-know-no-routes' },
    { from: 'api/resources/a.ts', to: 'api/routes/b.ts', rule: 'streams-know-no-routes' },
    { from: 'api/a.ts', to: 'wiring.ts', rule: 'wiring-is-for-mains' },
    { from: 'gateways/a.ts', to: 'wiring.ts', rule: 'wiring-is-for-mains' },
    { from: 'wiring.ts', to: 'db/b.ts', rule: 'wiring-knows-gateways-only' },
    { from: 'wiring.ts', to: 'koa', rule: 'wiring-knows-gateways-only' },
    { from: 'wiring.ts', to: 'config.ts', rule: 'wiring-reads-no-config' },
    { from: 'api/a.ts', to: 'nowhere', rule: 'imports-resolve' },
  ])('$rule: $from may not import $to', async ({ from, to, rule }) => {
    const isOurs = to.endsWith('.ts');
    const specifier = isOurs ? `${'../'.repeat(from.split('/').length - 1) || './'}${to}` : to;
    expect(await brokenBy(from, it_(specifier), isOurs ? to : undefined)).toContain(rule);
  });

  it.each([
    { to: 'db/b.ts', rules: ['workflows-run-nothing-else'] },
    { to: 'activities/b.ts', rules: ['workflows-run-nothing-else'] },
    { to: 'node:fs', rules: ['workflows-run-nothing-else'] },
    { to: 'zod', rules: ['workflows-run-nothing-else', 'workflow-bundle'] },
  ])('a workflow may not import $to', async ({ to, rules }) => {
    const isOurs = to.endsWith('.ts');
    const found = await brokenBy(
      'workflows/a.ts',
      it_(isOurs ? `../${to}` : to),
      isOurs ? to : undefined,
    );
    expect([...new Set(found)]).toEqual(expect.arrayContaining(rules));
  });

  it('a workflow may import types of activities, and no other types from outside', async () => {
    expect(await brokenBy('workflows/a.ts', type('../activities/b.ts'), 'activities/b.ts')).toEqual(
      [],
    );
    expect(await brokenBy('workflows/a.ts', type('../db/b.ts'), 'db/b.ts')).toEqual([
      'workflows-know-types-of-activities',
    ]);
  });

  it('a workflow may import a domain file, unless that file imports zod', async () => {
    expect(await brokenBy('workflows/a.ts', it_('../domain/b.ts'), 'domain/b.ts')).toEqual([]);
    writeFileSync(join(folder, 'domain/b.ts'), it_('zod').replace('own', 'it2'));
    const { violations } = await readImports(folder);
    expect(violations).toEqual(['workflow-bundle: domain/b.ts -> node_modules/zod/index.js']);
  });

  it('no-cycle: three files may not import each other in a cycle', async () => {
    await brokenBy('db/c.ts', it_('./a.ts'));
    expect(await brokenBy('db/a.ts', it_('./b.ts'))).not.toContain('no-cycle');
    expect(await brokenBy('db/b.ts', it_('./c.ts'))).toContain('no-cycle');
  });

  it.each(['api/http', 'bench', 'ops', 'sandbox/mail', 'test/support'])(
    'no cycle in %s, type imports included',
    async (path) => {
      expect(await brokenBy(`${path}/b.ts`, type('./a.ts'))).not.toContain('no-cycle');
      expect(await brokenBy(`${path}/a.ts`, it_('./b.ts'))).toContain('no-cycle');
    },
  );

  it('no rule is broken by the imports that the architecture needs', async () => {
    await brokenBy(
      'api/temporal/orchestrator.ts',
      it_('../../workflows/ids.ts'),
      'workflows/ids.ts',
    );
    await brokenBy('api/main.ts', it_('../config.ts'), 'config.ts');
    await brokenBy('wiring.ts', `${it_('./gateways/b.ts')}${type('./config.ts')}`, 'gateways/b.ts');
    await brokenBy('worker/main.ts', it_('../wiring.ts'));
    await brokenBy('workflows/run.ts', it_('@temporalio/workflow'));
    await brokenBy('db/migrate-main.ts', it_('../config.ts'));
    expect(
      await brokenBy('db/a.ts', `${it_('knex')}${type('../domain/ids.ts')}`, 'domain/ids.ts'),
    ).toEqual([]);
  });
});

describe('sources', () => {
  it('no source breaks a style rule', () => {
    expect(tables.length).toBeGreaterThan(8);
    expect(sources.flatMap((source) => findingsIn(source, tables))).toEqual([]);
  });
});

describe('the style rules', () => {
  const toDo = ['TO', 'DO'].join('');

  it.each([
    { rule: 'to-do', path: 'test/a.ts', text: `// ${toDo}: later`, fine: `const s = '${toDo}';` },
    { rule: 'to-do', path: 'api/a.ts', text: `/**\n * FIX${''}ME\n */`, fine: '// fix me' },
    {
      rule: 'suppression',
      path: 'test/a.ts',
      text: `// @ts-${''}ignore it works`,
      fine: '// @ts-expect-error a wrong id must not compile',
    },
    { rule: 'suppression', path: 'test/a.ts', text: '// @ts-expect-error', fine: '' },
    {
      rule: 'long-line',
      path: 'test/a.ts',
      text: `// ${'é'.repeat(98)}`,
      fine: `// ${'é'.repeat(97)}`,
    },
    {
      rule: 'long-line',
      path: 'api/a.ts',
      text: `const s = '${'s'.repeat(88)}';`,
      fine: `const s = '${'s'.repeat(87)}';`,
    },
    {
      rule: 'document-reference',
      path: 'api/a.ts',
      text: '/** As in contract 5. */',
      fine: `const s = 'contract 5';`,
    },
    {
      rule: 'document-reference',
      path: 'db/a.ts',
      text: 'f(() => {\n  // see the specification,\n});\n/*\n * Specification section\n * 4 */',
      fine: '/** The contract of both 5 and 6. */',
    },
    {
      rule: 'document-reference',
      path: 'test/a.ts',
      text: 'f(() => {\n  f();\n  // as listed (1.4)\n});',
      fine: '// 1.4 times as long\nf(1.4);',
    },
    {
      rule: 'spread-of-literal',
      path: 'test/a.ts',
      text: 'f({ ...{ a, b }, c });',
      fine: 'f({ ...a, b, ...(c && { d }) });',
    },
    {
      rule: 'spread-of-literal',
      path: 'ops/a.ts',
      text: 'f([...([a] as const), c]);',
      fine: 'f([...a, ...(c ? [] : [d])]);',
    },
    {
      rule: 'decimals-of-a-format',
      path: 'sdk/a.ts',
      text: 'const digits = format.resolvedOptions().maximumFractionDigits;',
      fine: 'new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });',
    },
    {
      rule: 'decimals-of-a-format',
      path: 'web/a.ts',
      text: 'const { maximumFractionDigits: digits } = format.resolvedOptions();',
      fine: 'const { currency } = format.resolvedOptions();',
    },
    {
      rule: 'cast',
      path: 'domain/a.ts',
      text: 'const x = y as string;',
      fine: 'const x = [1] as const;',
    },
    {
      rule: 'cast',
      path: 'config.ts',
      text: 'const x = <string>y;',
      fine: 'const x = y satisfies string;',
    },
    {
      rule: 'cast',
      path: 'sdk/a.ts',
      text: 'const x = y as string;',
      fine: 'const x: string = y;',
    },
    {
      rule: 'docstring',
      path: 'api/a.ts',
      text: '// why\nexport function f() {}',
      fine: '/** Does it. */\nexport function f() {}',
    },
    {
      rule: 'clock-or-chance',
      path: 'domain/a.ts',
      text: 'const now = new Date();',
      fine: 'const then = new Date(0);',
    },
    {
      rule: 'clock-or-chance',
      path: 'activities/polling/a.ts',
      text: 'const now = Date.now();',
      fine: 'const { now } = kept;',
    },
    {
      rule: 'clock-or-chance',
      path: 'domain/a.ts',
      text: 'const dice = Math.random();',
      fine: 'Math.min(1, 2);',
    },
    {
      rule: 'process-env',
      path: 'ops/a.ts',
      text: 'const { env } = process;',
      fine: 'const { env } = { env: 1 };',
    },
    { rule: 'sql', path: 'api/a.ts', text: 'await db.raw("select 1");', fine: 'const raw = 1;' },
    {
      rule: 'sql',
      path: 'activities/a.ts',
      text: `await tx('wallets').first();`,
      fine: `holds('wallets');`,
    },
    {
      rule: 'sql',
      path: 'worker/a.ts',
      text: ['const sql = `update users set x = $', '{y}`;'].join(''),
      fine: `const text = 'the wallets';`,
    },
  ])('$rule is found in $path', ({ rule, path, text, fine }) => {
    const find = (code: string) =>
      findingsIn({ path, text: code }, tables).map((finding) => finding.split(':')[0]);
    expect(find(text)).toContain(rule);
    expect(find(fine)).toEqual([]);
  });

  it('casts, the environment and SQL are allowed in tests', () => {
    const text = 'const { env } = process;\nconst x = env.X as T;\ndb.raw("select from users");\n';
    expect(findingsIn({ path: 'test/a.test.ts', text }, tables)).toEqual([]);
  });
});

describe('twins', () => {
  const twinOf = (path: string) => `test/${path.replace(/\.ts$/, '.test.ts')}`;
  const needTwin = paths.filter((path) =>
    /^(db|activities|workflows|api\/(routes|resources))\//.test(path),
  );

  it('every file has a test at the mirrored path, or is an exception', () => {
    expect(needTwin.length).toBeGreaterThan(20);
    const alone = needTwin.filter((path) => !paths.includes(twinOf(path)));
    expect(alone.filter((path) => ELSEWHERE[path] === undefined)).toEqual([]);
  });

  it('no exception is for a file that is gone or has a test at the mirrored path', () => {
    for (const [path, test] of Object.entries(ELSEWHERE)) {
      expect(paths, path).toContain(path);
      expect(paths, test).toContain(test);
      expect(paths).not.toContain(twinOf(path));
    }
  });
});
