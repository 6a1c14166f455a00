import type { Language } from '../language.ts';
import { customerMails as germanToCustomers } from './de/customer-mails.ts';
import { noticeMails as germanNotices } from './de/notice-mails.ts';
import { shopMails as germanToShops } from './de/shop-mails.ts';
import { words as germanWords } from './de/words.ts';
import { customerMails } from './en/customer-mails.ts';
import { noticeMails } from './en/notice-mails.ts';
import { shopMails } from './en/shop-mails.ts';
import { words } from './en/words.ts';
import type { Texts } from './texts.ts';

const english = {
  language: 'en',
  ...words,
  ...customerMails,
  ...shopMails,
  notices: noticeMails,
};

/** All words of all mails in one language. */
export type MailTexts = Texts<typeof english>;

const german: MailTexts = {
  language: 'de',
  ...germanWords,
  ...germanToCustomers,
  ...germanToShops,
  notices: germanNotices,
};

const MAIL_TEXTS: Record<Language, MailTexts> = { en: english, de: german };

/** Returns the words of mails to somebody: English ones while their language is not known. */
export function mailTextsIn(language: Language | null): MailTexts {
  return MAIL_TEXTS[language ?? 'en'];
}
