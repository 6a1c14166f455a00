import { expect, it } from 'vitest';
import { tableWords } from '../../../domain/texts/table-words.ts';

type Words = { readonly [name: string]: string | Words };

/** Lists every word as its dotted name, such as `titles.when`, and what it says. */
function listed(words: Words, above = ''): [string, string][] {
  return Object.entries(words).flatMap<[string, string]>(([name, said]) =>
    typeof said === 'string' ? [[above + name, said]] : listed(said, `${above}${name}.`),
  );
}

it('tables say the same in English and in German', async () => {
  const german = new Map(listed(tableWords.de));
  const english = listed(tableWords.en);
  expect([...german.keys()]).toEqual(english.map(([name]) => name));
  const lines = english.map(([name, text]) => `${name}: ${text} | ${german.get(name)}\n`);
  await expect(lines.join('')).toMatchFileSnapshot('table-words.txt');
});
