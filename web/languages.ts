/** The languages of the apps; each has a folder below `texts/`. The first is for everybody else. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** By this cookie a browser keeps the language that somebody has chosen in an app. */
export const LANGUAGE_COOKIE = 'language';

const CHOSEN = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=(\\w+)`);
/** Of the languages that a browser names, the first that the apps have. */
const ACCEPTED = /(?:^|,\s*)(en|de)\b/;

/**
 * Returns the language of the page that a request gets: the chosen one, or else the first that the
 * browser names and the apps have.
 */
export function languageOf(headers: {
  cookie?: string | undefined;
  'accept-language'?: string | undefined;
}): Language {
  const [, chosen] = CHOSEN.exec(headers.cookie ?? '') ?? [];
  const [, accepted] = ACCEPTED.exec(headers['accept-language'] ?? '') ?? [];
  const known = [chosen, accepted].map((name) => LANGUAGES.find((language) => language === name));
  return known.find((language) => language !== undefined) ?? LANGUAGES[0];
}
