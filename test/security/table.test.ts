import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

type Row = { risk: string; control: string; reference: string; tests: string[] };

/** The rows of the table of risks. */
function rowsOf(document: string): Row[] {
  const [, section = ''] = document.split(/^## Risks.*$/m);
  const lines = (section.split(/^## /m)[0] ?? '').split('\n').filter((line) => /^\| /.test(line));
  return lines.slice(1).map((line) => {
    const [risk = '', control = '', reference = '', tests = ''] = line.slice(2, -2).split(' | ');
    return { risk, control, reference, tests: tests.split('<br/>') };
  });
}

/** The texts of a test file that name a test, a group of tests or a case of a table. */
function titlesIn(path: string): Set<string> {
  const titles = new Set<string>();
  const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) titles.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return titles;
}

/** Why a test that the table names cannot be found; undefined if it is there. */
function problemWith(test: string): string | undefined {
  const [, path, title = ''] = /^`([^`]+)` › (.+)$/.exec(test) ?? [];
  if (path === undefined) return `"${test}" is not written as \`file\` › title`;
  if (!existsSync(new URL(path, ROOT))) return `there is no ${path}`;
  return titlesIn(path).has(title) ? undefined : `${path} has no test "${title}"`;
}

describe('the table of risks', () => {
  const rows = rowsOf(read('SECURITY.md'));

  it('is found, each row with a risk, a control and a reference', () => {
    expect(rows.length).toBeGreaterThan(40);
    for (const { risk, control, reference } of rows) {
      expect([risk, control].filter((cell) => cell.length < 15)).toEqual([]);
      expect(reference).toMatch(/^(API\d|ASVS|RFC)/);
    }
    expect(new Set(rows.map(({ risk }) => risk)).size).toBe(rows.length);
  });

  it('names at least one test for each risk, all of which exist', () => {
    const problems = rows.flatMap(({ tests }) => tests.map(problemWith));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });

  it('is about every one of the ten risks of APIs', () => {
    const references = rows.map(({ reference }) => reference).join();
    const named = new Set([...references.matchAll(/\bAPI(\d+)\b/g)].map(([, number]) => number));
    expect(named).toEqual(new Set(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']));
  });
});

describe('the reader of the table', () => {
  it('says what is wrong with a test that is not there', () => {
    expect(problemWith('nothing')).toContain('is not written as');
    expect(problemWith('`test/nowhere.test.ts` › it')).toBe('there is no test/nowhere.test.ts');
    const gone = ['was', 'removed'].join(' ');
    expect(problemWith(`\`test/security/table.test.ts\` › it ${gone}`)).toMatch(/has no test/);
  });
});
