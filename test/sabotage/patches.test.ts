import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, readSabotages, titlePattern, whyNotApplicable } from './patches.ts';

const sabotages = readSabotages();

describe('the sabotages', () => {
  it('are at least twenty', () => {
    expect(sabotages.length).toBeGreaterThanOrEqual(20);
  });

  it.each(sabotages)('$name: applies to the sources as they are', (sabotage) => {
    expect(whyNotApplicable(sabotage, ROOT)).toBeUndefined();
  });

  it.each(sabotages)('$name: says what it breaks, and which tests catch it', (sabotage) => {
    const { breaks, catchers } = sabotage;
    expect(breaks).toMatch(/^[A-Z].*\.$/);
    expect(catchers).not.toEqual([]);
    for (const { file, title } of catchers) {
      expect(existsSync(join(ROOT, file)), file).toBe(true);
      expect(readFileSync(join(ROOT, file), 'utf8')).toContain(`'${title}'`);
    }
  });
});

describe('titlePattern', () => {
  it.each([
    { title: 'credits once', test: 'credits once', matches: true },
    { title: 'credits once', test: 'credits once and for all', matches: false },
    { title: 'is $left after $steps (twice)', test: 'is 5 after 1 step (twice)', matches: true },
    { title: '422 with %s', test: '422 with another key', matches: true },
    { title: '422 with %s', test: '423 with another key', matches: false },
  ])('$title: $test is it: $matches', ({ title, test, matches }) => {
    expect(titlePattern(title).test(test)).toBe(matches);
  });
});
