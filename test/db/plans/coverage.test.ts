import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ALL_CASES } from './all-cases.ts';
import { UNEXPLAINED } from './unexplained.ts';

const DB = fileURLToPath(new URL('../../../db/', import.meta.url));
const ASKS = /^export async function (\w+)(?:<[^>]*>)?\(\s*(?:db|tx|session): (?:Db|Tx)\b/gm;

/** Every function of `db/` that runs statements, as `folder/file.name`. */
const functions = readdirSync(DB, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('schema/'))
  .flatMap((path) => {
    const found = readFileSync(`${DB}${path}`, 'utf8').matchAll(ASKS);
    return [...found].map(([, name]) => `${path.replace(/\.ts$/, '')}.${name}`);
  });
const covered = [...new Set(ALL_CASES.map(({ covers }) => covers))];
const excepted = Object.values(UNEXPLAINED).flatMap((names) => names.trim().split(/\s+/));

describe('the plans', () => {
  it('of every function that runs statements are tested, or there is a reason why not', () => {
    expect(functions.length).toBeGreaterThan(150);
    const known = new Set([...covered, ...excepted]);
    expect(functions.filter((name) => !known.has(name))).toEqual([]);
  });

  it('have no case and no exception for a function that is gone, or both for one', () => {
    expect([...covered, ...excepted].filter((name) => !functions.includes(name))).toEqual([]);
    expect(excepted.filter((name) => covered.includes(name))).toEqual([]);
  });
});
