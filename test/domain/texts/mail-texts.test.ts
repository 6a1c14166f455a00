import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../domain/language.ts';
import { mailTextsIn } from '../../../domain/texts/mail-texts.ts';
import { renderMail } from '../../../gateways/mail/render-mail.ts';
import { mailsIn } from '../../support/mails.ts';
import { unwantedIn } from '../../web/words.ts';

/** Texts that may be the same in two languages: names, and words that both have. */
const MAY_BE_THE_SAME: readonly string[] = [];

const OTHERS = LANGUAGES.filter((language) => language !== 'en');
const english = textsOf(mailTextsIn('en'));

/** All texts by their paths. One that is put together says what it is made of, for one and many. */
function textsOf(value: unknown, path = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[path, value]]);
  if (typeof value === 'function') {
    const written = [1, 2].map((count) => String(value(valuesFor(count), '⟨written⟩')));
    return new Map([[path, written.join('\n')]]);
  }
  const inside = Object.entries(value ?? {}).flatMap(([name, child]) => [
    ...textsOf(child, path === '' ? name : `${path}/${name}`),
  ]);
  return new Map(inside);
}

/** Any value by its name, as a text in brackets; the first of counts is the count itself. */
function valuesFor(count: number) {
  const named = (name: string) => (name === 'count' ? count : `⟨${name}⟩`);
  const alone = { [Symbol.toPrimitive]: () => '⟨value⟩' };
  return new Proxy(alone, {
    get: (_, name) => (typeof name === 'string' ? named(name) : alone[Symbol.toPrimitive]),
  });
}

const valuesIn = (text = '') => new Set(text.match(/⟨\w+⟩/g));

describe('the texts of mails', () => {
  it('are English while a language is not known', () => {
    expect(mailTextsIn(null)).toBe(mailTextsIn('en'));
  });

  it.each(OTHERS)(
    'in %s are all there, none more, and none was left as it is in English',
    (language) => {
      const its = textsOf(mailTextsIn(language));
      expect([...its.keys()]).toEqual([...english.keys()]);
      const same = [...its].filter(([path, text]) => text === english.get(path));
      expect(same.map(([path]) => path)).toEqual(MAY_BE_THE_SAME);
      expect([...its].filter(([, text]) => text.trim() === '')).toEqual([]);
    },
  );

  it('in English say of people and things what the apps say', () => {
    const words = [...english.values()].map((text) => text.replaceAll(/⟨\w+⟩/g, ''));
    expect(words.flatMap(unwantedIn)).toEqual([]);
  });

  it.each(OTHERS)('in %s say the same values', (language) => {
    const its = textsOf(mailTextsIn(language));
    for (const [path, text] of english) {
      expect.soft(valuesIn(its.get(path)), path).toEqual(valuesIn(text));
    }
  });
});

describe('every mail', () => {
  const each = LANGUAGES.flatMap((language) =>
    Object.entries(mailsIn(language)).map(([name, mail]) => ({ language, name, mail })),
  );

  it.each(each)('in $language says what it is in: $name', ({ language, mail }) => {
    const { subject, html, text } = renderMail(mail);
    const { documentElement } = parseHTML(html).document;
    expect(documentElement.getAttribute('lang')).toBe(language);
    for (const said of [subject, text]) {
      expect(said).not.toMatch(/undefined|null|NaN|\[object|\$\{| {2}/);
      expect(said.trim()).not.toBe('');
    }
  });

  it('has another subject and other paragraphs in each language', () => {
    for (const language of OTHERS) {
      for (const [name, mail] of Object.entries(mailsIn(language))) {
        const { subject, blocks } = mailsIn('en')[name] ?? mail;
        expect.soft(mail.subject, name).not.toBe(subject);
        expect
          .soft(
            mail.blocks.map(({ type }) => type),
            name,
          )
          .toEqual(blocks.map(({ type }) => type));
        for (const [nth, block] of mail.blocks.entries()) {
          if (block.type === 'paragraph') expect.soft(block, name).not.toEqual(blocks[nth]);
        }
      }
    }
  });

  it('has dates, times, amounts and numbers as its language writes them', () => {
    const textOf = (name: string, language: 'en' | 'de') =>
      (mailsIn(language)[name]?.blocks ?? [])
        .flatMap((block) => (block.type === 'paragraph' ? block.text : []))
        .join('\n')
        .replaceAll('\u00a0', ' ');
    expect(textOf('code', 'en')).toContain('€125.00 (12,500 points)');
    expect(textOf('code', 'de')).toContain('125,00 € wert (12.500 Punkte)');
    expect(textOf('code', 'en')).toContain('15 March 2026, 11:15 (UTC+01:00)');
    expect(textOf('code', 'de')).toContain('15. März 2026, 11:15 Uhr (UTC+01:00)');
    expect(textOf('points expire', 'de')).toContain('31. März 2026');
    expect(textOf('erasure', 'de')).toContain('15. März 2026, 11:00 Uhr (UTC+01:00)');
    expect(textOf('rule.publish', 'en')).toContain('each €1.00 of a sale earns 12.5 points');
    expect(textOf('rule.publish', 'de')).toContain('je 1,00 € eines Verkaufs 12,5 Punkte');
    expect(textOf('gap', 'de')).toContain('1.412 Verkäufe');
  });
});
