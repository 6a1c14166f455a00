import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const DOCUMENTS = ['.', 'docs', 'sdk'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
const FOLDERS = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);
/** Folders that are made on each machine. */
const LOCAL = ['.git', '.sandbox', 'coverage', 'node_modules'];

type Block = { language: string; text: string };

/** The fenced blocks of a document, and the rest of it. */
function partsOf(text: string): { blocks: Block[]; prose: string } {
  const blocks: Block[] = [];
  const prose = text.replace(/^( *)```(\w*)\n([\s\S]*?)^\1```$/gm, (_, _indent, language, body) => {
    blocks.push({ language, text: body });
    return '';
  });
  return { blocks, prose };
}

/** What a text names that is meant to be a path: by its ending, or by the folder it begins with. */
function pathsIn(text: string): string[] {
  const words = text.split(/(?:<br\/>|[\s,;()<>"'])+/).map((word) => word.replace(/[.:]$/, ''));
  return words.filter((word) => {
    if (!/^[\w.-]+(\/[\w.-]+)*\/?$/.test(word)) return false;
    if (LOCAL.some((folder) => word.startsWith(`${folder}/`))) return false;
    const [first = '', ...rest] = word.split('/');
    if (rest.length === 0) return /\.(ts|cjs|yml|md)$|^(package|biome)\.json$/.test(word);
    return word.endsWith('/') || FOLDERS.includes(first) || /\.(ts|cjs|md|yml)$/.test(word);
  });
}

/** The anchors of a document's headings, as they are made where it is shown. */
function anchorsIn(text: string): string[] {
  return [...partsOf(text).prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the reader of documents', () => {
  it('finds all of them, and what they name', () => {
    const expected = ['README.md', 'ARCHITECTURE.md', 'SECURITY.md', 'docs/operating.md'];
    expect(DOCUMENTS).toEqual(expect.arrayContaining(expected));
    const { prose, blocks } = partsOf(read('ARCHITECTURE.md'));
    expect(pathsIn(prose.replaceAll('`', ' ')).length).toBeGreaterThan(50);
    expect(blocks.length).toBeGreaterThan(5);
  });

  it('takes for a path what is one, and nothing else', () => {
    const named = pathsIn('node ops/main.ts api/nowhere, docs/x.md db/ledger/ config.ts main.ts');
    expect(named).toEqual([
      'ops/main.ts',
      'api/nowhere',
      'docs/x.md',
      'db/ledger/',
      'config.ts',
      'main.ts',
    ]);
    const others = '/health/ready application/json poll/ID .sandbox/ TENANT.csv GET api';
    expect(pathsIn(others)).toEqual([]);
  });

  it('tells blocks from prose, also inside a list', () => {
    const text = 'a `x`\n\n```sh\nnpm ci\n```\n\n1. b\n\n   ```\n   c\n   ```\nd\n';
    const { blocks, prose } = partsOf(text);
    expect(blocks.map(({ language }) => language)).toEqual(['sh', '']);
    expect(prose).not.toMatch(/npm ci|```| c/);
  });
});

describe.each(DOCUMENTS)('%s', (document) => {
  const text = read(document);
  const { blocks, prose } = partsOf(text);
  const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);

  it('names only files and folders that exist', () => {
    const diagrams = blocks.filter(({ language }) => language === 'mermaid');
    const commands = blocks.filter(({ language }) => language === 'sh');
    const named = [...spans, ...[...diagrams, ...commands].map((block) => block.text)];
    const paths = [...new Set(named.flatMap(pathsIn))];
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('links only to files and headings that exist', () => {
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const broken = links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return !link.startsWith('https://');
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? document : join(dirname(document), path);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsIn(read(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('names only scripts that package.json has', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    const used = [...text.matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].flatMap(([, name]) => name);
    expect(used.filter((name) => scripts[name ?? ''] === undefined)).toEqual([]);
  });

  it('has commands that a shell can read', () => {
    for (const { text: input } of blocks.filter(({ language }) => language === 'sh')) {
      expect(() => execFileSync('bash', ['-n'], { input, stdio: 'pipe' })).not.toThrow();
    }
  });

  it('draws only diagrams of a kind that Mermaid knows', () => {
    const drawn = blocks.filter(({ language }) => language === 'mermaid');
    const kinds = drawn.map(({ text: diagram }) => diagram.trim().split('\n')[0] ?? '');
    const known = /^(flowchart (LR|TB|TD|RL)|sequenceDiagram|stateDiagram-v2|erDiagram)$/;
    expect(kinds.filter((kind) => !known.test(kind))).toEqual([]);
  });

  it('has no line over 100 columns but in tables and blocks', () => {
    const long = prose.split('\n').filter((line) => line.length > 100 && !line.startsWith('|'));
    expect(long).toEqual([]);
  });

  it('cites nothing that is not here', () => {
    expect(prose).not.toMatch(/\b(contract|spec|specification|section) \d/i);
  });
});

describe('README.md', () => {
  it('shows every folder, and no other', () => {
    const tree = partsOf(read('README.md')).blocks.find(({ text }) => text.startsWith('domain/'));
    const shown = [...(tree?.text ?? '').matchAll(/^([a-z]+)\/ /gm)].map(([, name]) => name);
    const ours = FOLDERS.filter((name) => !name.startsWith('.') && !LOCAL.includes(name));
    expect([...shown].sort()).toEqual(ours.sort());
  });
});

describe('docs/decisions.md', () => {
  it('names only codes, permissions and configuration that there are', () => {
    const known = [
      'domain/errors.ts',
      'domain/roles.ts',
      'domain/account-status.ts',
      'sandbox/temporal/cli.ts',
      '.env.example',
    ]
      .map(read)
      .join('\n');
    const outcomes = /^(AUTH_COMPLETED|NAME_FILE)$/;
    const spans = [...read('docs/decisions.md').matchAll(/`([A-Z]+(?:_[A-Z]+)+)/g)];
    const names = [...new Set(spans.flatMap(([, name]) => name ?? []))];
    expect(names.length).toBeGreaterThan(5);
    const unknown = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(known));
    expect(unknown.filter((name) => !outcomes.test(name))).toEqual([]);
  });
});
