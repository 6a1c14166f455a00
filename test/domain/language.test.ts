import { describe, expect, it } from 'vitest';
import { languageIn } from '../../domain/language.ts';

describe('languageIn', () => {
  it.each([
    ['de', 'de'],
    ['DE', 'de'],
    ['de-CH,de;q=0.9,en;q=0.8', 'de'],
    ['en-DE,de;q=0.8', 'en'],
    ['fr, de;q=0.5', 'de'],
    ['en;q=0.5,de', 'de'],
    ['en; q=0.5, de;q=0.9', 'de'],
    ['de;q=0,en;q=0.1', 'en'],
    ['de;q=0', null],
    ['de_AT', 'de'],
    ['de-x-code', 'de'],
    ['den', null],
    ['fr-de', null],
    ['*', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('of %j is %j', (text, language) => {
    expect(languageIn(text)).toBe(language);
  });
});
