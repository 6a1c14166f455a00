import { createServer } from 'vite';
import { describe, expect, it } from 'vitest';
import { LANGUAGES as LANGUAGES_OF_MAILS } from '../../domain/language.ts';
import { LANGUAGES, languageOf } from '../../web/languages.ts';
import { inLanguage } from '../../web/translate.ts';

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

describe.each(LANGUAGES)('in the texts of %s', (language) => {
  it('a rule is the same when it is published again as its fields say it', async () => {
    const vite = await createServer({
      configFile: false,
      plugins: [inLanguage(language)],
      server: { middlewareMode: true, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
      appType: 'custom',
      logLevel: 'error',
    });
    const { draftOf, readDraft } = await vite.ssrLoadModule('/web/portal/rules/draft.ts');
    const terms = {
      conversionRate: 0.125,
      minSpendMinorUnits: 123_450,
      maxPointsPerTransaction: 12_000,
      minBalanceToRedeem: 1_500,
      maxRedemptionPercentage: 33.5,
      roundingPolicy: 'floor',
    } as const;
    const typed = draftOf(terms, 'EUR');
    await vite.close();
    expect(typed).toMatchObject(FIELDS[language]);
    expect(readDraft(typed, 'EUR')).toEqual({ terms });
  });
});

const FIELDS = {
  en: { rate: { text: '12.5' }, minSpend: '1234.50', cap: '12000', share: '33.5' },
  de: { rate: { text: '12,5' }, minSpend: '1234,50', cap: '12000', share: '33,5' },
};
