import type { Language } from '../language.ts';
import { noticeMails as germanMails } from './de/notice-mails.ts';
import { words as germanWords } from './de/words.ts';
import { noticeMails } from './en/notice-mails.ts';
import { words } from './en/words.ts';
import type { Texts } from './texts.ts';

const english = { language: 'en', ...words, notices: noticeMails };

/** All words of such mails in one language. */
export type NoticeTexts = Texts<typeof english>;

const TEXTS: Record<Language, NoticeTexts> = {
  en: english,
  de: { language: 'de', ...germanWords, notices: germanMails },
};

/** Returns the words of notices to somebody: English ones while their language is not known. */
export function noticeTextsIn(language: Language | null): NoticeTexts {
  return TEXTS[language ?? 'en'];
}
