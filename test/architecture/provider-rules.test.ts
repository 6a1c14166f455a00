import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { PROVIDERS } from '../../domain/payment.ts';
import { useFolder } from '../sandbox/fixtures.ts';
import { readImports } from './imports.ts';
import { findingsIn } from './source-rules.ts';

const folder = useFolder('provider-rules-');

/** Returns the rules that a tree breaks in which one file imports another. */
async function brokenBy(from: string, to: string): Promise<string[]> {
  const root = join(folder.path, from.replaceAll('/', '-'));
  const path = `${'../'.repeat(from.split('/').length - 1)}${to}`;
  const files = { [from]: `import '${path}';\n`, [to]: 'export {};\n' };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const { violations } = await readImports(root);
  return violations.map((violation) => violation.replace(/:.*/, ''));
}

it.each([
  { from: 'api/a.ts', rules: ['providers-have-one-door'] },
  { from: 'gateways/providers/provider.ts', rules: ['providers-have-one-door'] },
  { from: 'gateways/providers/shared/a.ts', rules: ['providers-stand-apart'] },
  { from: 'gateways/providers/delta/a.ts', rules: ['providers-stand-apart'] },
  { from: 'gateways/providers/gamma/a.ts', rules: [] },
  { from: 'gateways/providers/index.ts', rules: [] },
  { from: 'test/a.ts', rules: [] },
])('a provider’s folder, imported by $from: $rules', async ({ from, rules }) => {
  expect(await brokenBy(from, 'gateways/providers/gamma/b.ts')).toEqual(rules);
});

it('a simulator’s folder is not imported by another simulator', async () => {
  const to = 'sandbox/providers/gamma/b.ts';
  expect(await brokenBy('sandbox/providers/delta/a.ts', to)).toEqual(['providers-stand-apart']);
  expect(await brokenBy('sandbox/providers/index.ts', to)).toEqual([]);
});

it.each(PROVIDERS)('nobody names %s but its folders, the lists and what checks', (name) => {
  const comparing = `const isPolled = provider === '${name}';`;
  const reading = `const { oauth } = clients.${name};`;
  const findings = (path: string) =>
    [comparing, reading].flatMap((text) => findingsIn({ path, text }, []));
  const found = (path: string) => [`provider-name: ${path}:1`, `provider-name: ${path}:1`];
  for (const path of ['activities/a.ts', 'gateways/providers/shared/a.ts', 'web/portal/a.tsx']) {
    expect(findings(path)).toEqual(found(path));
  }
  for (const path of ['domain/payment.ts', 'gateways/providers/x/a.ts', 'test/a.ts']) {
    expect(findings(path)).toEqual([]);
  }
});
