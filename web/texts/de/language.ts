import type { Language } from '../../languages.ts';

/** The language of these texts. */
export const language: Language = 'de';
