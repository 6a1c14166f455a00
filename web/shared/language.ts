import { LANGUAGE_COOKIE, LANGUAGES, type Language } from '../languages.ts';
import { language } from '../texts/en/language.ts';

const NAMES = { en: 'English', de: 'Deutsch' } as const satisfies Record<Language, string>;

/** The languages that can be chosen instead, each with its name as who speaks it writes it. */
export const otherLanguages = LANGUAGES.filter((each) => each !== language).map((each) => ({
  language: each,
  name: NAMES[each],
}));

const YEAR_SECONDS = 365 * 24 * 3_600;

/** Has the apps of this browser in a language from now on, and loads the page in it. */
export function chooseLanguage(chosen: Language): void {
  const forLong = `path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere.
  document.cookie = `${LANGUAGE_COOKIE}=${chosen}; ${forLong}`;
  location.reload();
}
