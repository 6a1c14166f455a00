/** The languages in which people are written to. English is for those whose language is unknown. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

const NAMED = new RegExp(`^\\s*(${LANGUAGES.join('|')})(?![a-z])`, 'i');
const QUALITY = /;\s*q=([\d.]+)/;

/**
 * Returns which of these languages a text names as the preferred one: the header `Accept-Language`,
 * or the language of a person as an identity provider writes it (`de`, `de-AT`, `de_AT`). Of equals
 * the first; null for none.
 */
export function languageIn(text: string | null | undefined): Language | null {
  const [preferred] = (text ?? '')
    .split(',')
    .map((part) => {
      const named = NAMED.exec(part)?.[1]?.toLowerCase();
      const quality = Number(QUALITY.exec(part)?.[1] ?? 1);
      return { language: LANGUAGES.find((language) => language === named), quality };
    })
    .filter(({ language, quality }) => language !== undefined && quality > 0)
    .toSorted((one, other) => other.quality - one.quality);
  return preferred?.language ?? null;
}
