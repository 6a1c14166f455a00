import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tableWords } from '../../domain/texts/table-words.ts';

// The compiler finds a text that a language lacks; this finds one that was left in English.

const FOLDER = new URL('../../web/texts/', import.meta.url);
// Their types are of the apps' program, so that they are loaded by name.
const load = (language: string, file: string): Promise<Record<string, unknown>> =>
  import(new URL(`${language}/${file}`, FOLDER).pathname);
const filesOf = (language: string) => readdirSync(new URL(`${language}/`, FOLDER)).sort();

/** Names, and words that are the same in both. */
const SAME = new Set([
  'Code',
  'Codes',
  'Import',
  'Live',
  'Logo',
  'Name',
  'PIN',
  'Status',
  'Team',
  'Version',
  'Webhooks',
]);
/** Not a text. */
const OWN = ['language.ts'];

/** The paths and texts of a module, functions as they are written. */
function textsIn(value: unknown, path: string): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value === 'function') return [[path, String(value)]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => textsIn(each, `${path}.${name}`));
}

/** Whether a text has words of its own, besides what is put into it. */
function hasWords(text: string): boolean {
  if (!text.includes('=>')) return /\p{L}/u.test(text);
  const literals = text.match(/'[^']*'|"[^"]*"|`[^`]*`/g) ?? [];
  return literals.some((literal) => /\p{L}{3}/u.test(literal.replace(/\$\{[^}]*\}/g, '')));
}

type Say = (...values: unknown[]) => unknown;

/** The paths and functions of a module. */
function saidIn(value: unknown, path: string): [string, Say][] {
  if (typeof value === 'function') return [[path, (...values) => value(...values)]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => saidIn(each, `${path}.${name}`));
}

/** Never said of one. */
const NEVER_OF_ONE = ['.commonTexts.earning.perUnit'];
const SEVERAL = /(?<!(?:of|von|than|als) )\b1 (?:points|sales|codes|customers|Punkte|Verkäufe)\b/;
const ALL_ONE: object = new Proxy({}, { get: () => 1 });

function saysSeveral(say: Say, values: readonly unknown[]): boolean {
  try {
    return SEVERAL.test(String(say(...values)));
  } catch {
    // It takes something else.
    return false;
  }
}

/** Whether a text says of one that it is several, given it as a number, as written, or by name. */
function isWrongOfOne(say: Say): boolean {
  const isWrong = (...values: unknown[]) => saysSeveral(say, values);
  return isWrong(ALL_ONE) || (isWrong(1, '1', '1') && isWrong('1', '1', '1') && isWrong('1', 1, 1));
}

describe.each(['en', 'de'])('the texts of %s', (language) => {
  it('say one point, not several, of one', async () => {
    const modules = await Promise.all(filesOf(language).map((file) => load(language, file)));
    const said = modules.flatMap((module) => saidIn({ ...module }, ''));
    const wrong = said.filter(([path, say]) => !NEVER_OF_ONE.includes(path) && isWrongOfOne(say));
    expect(said.length).toBeGreaterThan(100);
    expect(wrong.map(([path]) => path)).toEqual([]);
  });
});

describe('the texts in German', () => {
  it('have the files of the English ones, and those of the pages', () => {
    expect(filesOf('de')).toEqual([...filesOf('en'), 'pages.ts'].sort());
  });

  it.each(filesOf('en').filter((file) => !OWN.includes(file)))(
    'of %s have the same names, and other words',
    async (file) => {
      const [english, german] = await Promise.all(
        ['en', 'de'].map(async (language) => textsIn({ ...(await load(language, file)) }, '')),
      );
      expect(german?.map(([path]) => path).sort()).toEqual(english?.map(([path]) => path).sort());
      const known = new Map(english);
      const left = german?.filter(
        ([path, text]) => known.get(path) === text && hasWords(text) && !SAME.has(text),
      );
      expect(left).toEqual([]);
    },
  );
});

// A table that is downloaded says what the page said, though neither may know the other.
it.each(['en', 'de'] as const)('the words of sales are those of tables: %s', async (language) => {
  const { outcomes, reasons } = tableWords[language];
  const { saleTexts } = await load(language, 'sales.ts');
  expect(saleTexts).toMatchObject({ outcomes, reasons });
});
