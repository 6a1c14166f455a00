import { describe, expect, it } from 'vitest';
import { LANGUAGES as LANGUAGES_OF_MAILS } from '../../domain/language.ts';
import { LANGUAGES, languageOf } from '../../web/languages.ts';

it('are those of mails', () => {
  expect(LANGUAGES).toEqual(LANGUAGES_OF_MAILS);
});

describe('languageOf', () => {
  it.each([
    [{}, 'en'],
    [{ 'accept-language': 'de' }, 'de'],
    [{ 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' }, 'de'],
    [{ 'accept-language': 'en-DE,de;q=0.8' }, 'en'],
    [{ 'accept-language': 'fr, de;q=0.5' }, 'de'],
    [{ 'accept-language': 'den' }, 'en'],
    [{ 'accept-language': 'de', cookie: 'a=b; language=en' }, 'en'],
    [{ cookie: 'mylanguage=de' }, 'en'],
    [{ 'accept-language': 'de', cookie: 'language=tlh' }, 'de'],
  ])('of %j is %s', (headers, expected) => {
    expect(languageOf(headers)).toBe(expected);
  });
});
