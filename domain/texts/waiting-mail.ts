import type { Language } from '../language.ts';
import { type MailContent, paragraph } from './mail-content.ts';
import { formatNumber } from './mail-formats.ts';
import { mailTextsIn } from './mail-texts.ts';

/** How many merchants applied, and where administrators decide and choose. */
export type Waiting = Record<'officeUrl' | 'choicesUrl' | 'stopUrl', string> & {
  count: number;
  language: Language | null;
};

/** The mail that tells an administrator that merchants wait for their approval. */
export function waitingMail({
  count,
  officeUrl,
  choicesUrl,
  stopUrl,
  ...to
}: Waiting): MailContent {
  const { language, notices } = mailTextsIn(to.language);
  const { waiting } = notices;
  const words = { count, written: formatNumber(count, language) };
  return {
    language,
    subject: waiting.subject(words),
    shop: { name: waiting.heading, logoUrl: null },
    blocks: [paragraph(waiting.wait(words)), { type: 'link', label: waiting.link, url: officeUrl }],
    footer: {
      choose: { label: notices.choose, url: choicesUrl },
      stop: { label: waiting.stop, url: stopUrl },
    },
  };
}
