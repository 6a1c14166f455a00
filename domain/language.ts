/** The languages in which people are written to. English is for those whose language is unknown. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

const NAMED = new RegExp(`(?:^|,)\\s*(${LANGUAGES.join('|')})(?![a-z])`, 'i');

/**
 * Returns the first language of these that a text names: the header `Accept-Language`, or the
 * language of a person as an identity provider writes it (`de`, `de-AT`, `de_AT`). Null for none.
 */
export function languageIn(text: string | null | undefined): Language | null {
  const named = NAMED.exec(text ?? '')?.[1]?.toLowerCase();
  return LANGUAGES.find((language) => language === named) ?? null;
}
