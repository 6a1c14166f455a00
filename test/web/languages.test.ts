import { createServer } from 'vite';
import { describe, expect, it } from 'vitest';
import { LANGUAGES as LANGUAGES_OF_MAILS } from '../../domain/language.ts';
import { LANGUAGES, type Language, languageOf } from '../../web/languages.ts';
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

/** Loads a module of the apps in a language. */
async function loaded(language: Language, path: string) {
  const vite = await createServer({
    configFile: false,
    plugins: [inLanguage(language)],
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    appType: 'custom',
    logLevel: 'error',
  });
  const module = await vite.ssrLoadModule(path);
  await vite.close();
  return module;
}

describe.each(LANGUAGES)('in the texts of %s', (language) => {
  it('a rule is the same when it is published again as its fields say it', async () => {
    const { draftOf, readDraft } = await loaded(language, '/web/portal/rules/draft.ts');
    const terms = {
      conversionRate: 0.125,
      minSpendMinorUnits: 123_450,
      maxPointsPerTransaction: 12_000,
      minBalanceToRedeem: 1_500,
      maxRedemptionPercentage: 33.5,
      roundingPolicy: 'floor',
    } as const;
    const typed = draftOf(terms, 'EUR');
    expect(typed).toMatchObject(FIELDS[language]);
    expect(readDraft(typed, 'EUR')).toEqual({ terms });
  });

  it('what may be thousands is no number, nor what is grouped', async () => {
    const { numberOf } = await loaded(language, '/web/portal/rules/draft.ts');
    const { minorUnitsOf } = await loaded(language, '/web/shared/format.ts');
    const [own, foreign] = language === 'de' ? [',', '.'] : ['.', ','];
    expect(numberOf(`1${own}250`)).toBe(1.25);
    expect(numberOf(`1${own}25`)).toBe(1.25);
    expect(numberOf(`1${foreign}25`)).toBe(1.25);
    expect(minorUnitsOf(`1250${foreign}5`, 'EUR')).toBe(125_050);
    expect(minorUnitsOf(`1${own}250`, 'KWD')).toBe(1_250);
    const refused = [`1${foreign}250`, `1${foreign}250${own}50`, `1${own}250${foreign}50`, '1 250'];
    expect(refused.map((text) => numberOf(text))).toEqual(refused.map(() => undefined));
    for (const currency of ['EUR', 'KWD', 'JPY']) {
      const amounts = refused.map((text) => minorUnitsOf(text, currency));
      expect(amounts, currency).toEqual(refused.map(() => undefined));
    }
  });

  it('what sales earn is said with all decimals of the rate', async () => {
    const { earningText } = await loaded(language, '/web/shared/earning.ts');
    const said = [0.1, 0.07, 0.012345].map((conversionRate) =>
      earningText({ conversionRate, minSpendMinorUnits: 0 }, 'EUR').replaceAll('\u00a0', ' '),
    );
    expect(said).toEqual(EARNED[language]);
  });

  it('a code that has expired is not said to give points back, which may be lost', async () => {
    const { errorText } = await loaded(language, '/web/shared/error-text.ts');
    const said = errorText({ code: 'RULE_REJECTED', issues: [{ code: 'code_expired' }] });
    expect(said).toMatch(language === 'de' ? /abgelaufen/ : /expired/);
    expect(said).not.toMatch(/points|Punkte/);
  });

  it('the audit log says days of the week and amounts in words', async () => {
    const { auditValue } = await loaded(language, '/web/shared/audit-value.ts');
    const said = [
      auditValue('days', '1 3 7', 'EUR'),
      auditValue('minSpendMinorUnits', 1_250, 'EUR'),
      auditValue('conversionRate', 0.0125, 'EUR'),
      auditValue('points', 12_000, 'EUR'),
      auditValue('days', null, 'EUR'),
      auditValue('day', '2026-11-30', 'EUR'),
    ];
    expect(said.map((text) => text.replaceAll('\u00a0', ' '))).toEqual(AUDITED[language]);
    expect(auditValue('valueMinorUnits', 1_250, null)).not.toContain('€');
  });
});

const EARNED = {
  en: ['1 point for each €0.10', '7 points for each €1.00', '1.2345 points for each €1.00'],
  de: ['1 Punkt je 0,10 €', '7 Punkte je 1,00 €', '1,2345 Punkte je 1,00 €'],
};
const AUDITED = {
  en: ['Mon, Wed, Sun', '€12.50', '0.0125', '12,000', 'nothing', 'Nov 30, 2026'],
  de: ['Mo, Mi, So', '12,50 €', '0,0125', '12.000', 'nichts', '30.11.2026'],
};
const FIELDS = {
  en: { rate: { text: '12.5' }, minSpend: '1234.50', cap: '12000', share: '33.5' },
  de: { rate: { text: '12,5' }, minSpend: '1234,50', cap: '12000', share: '33,5' },
};
