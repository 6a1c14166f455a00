import type { Language } from '../language.ts';
import { type MailBlock, type MailContent, paragraph } from './mail-content.ts';
import { formatNumber } from './mail-formats.ts';
import { mailTextsIn } from './mail-texts.ts';

/** How many merchants wait for what, and below what administrators decide and choose. */
export type Waiting = {
  /** Who applied, and waits for an approval. */
  applicants: number;
  /** Points for customers that somebody has to grant or decline. */
  requests: number;
  officeUrl: string;
  stopUrl: string;
  language: Language | null;
};

/** The mail that tells an administrator that merchants wait for them. */
export function waitingMail({ officeUrl, stopUrl, ...waiting }: Waiting): MailContent {
  const { language, notices } = mailTextsIn(waiting.language);
  const texts = notices.waiting;
  const counted = (count: number) => ({ count, written: formatNumber(count, language) });
  const applicants = counted(waiting.applicants);
  const requests = counted(waiting.requests);
  const linked = (label: string, path: string): MailBlock => {
    return { type: 'link', label, url: `${officeUrl}${path}` };
  };
  const ofApplicants = [paragraph(texts.wait(applicants)), linked(texts.link, '')];
  const ofRequests = [paragraph(texts.ask(requests)), linked(texts.askLink, '/goodwill')];
  return {
    language,
    subject: subjectOf(texts, { applicants, requests }),
    shop: { name: texts.heading, logoUrl: null },
    blocks: [
      ...(applicants.count > 0 ? ofApplicants : []),
      ...(requests.count > 0 ? ofRequests : []),
    ],
    footer: {
      choose: { label: notices.choose, url: `${officeUrl}/notices` },
      stop: { label: texts.stop, url: stopUrl },
    },
  };
}

type Counted = { count: number; written: string };

function subjectOf(
  texts: ReturnType<typeof mailTextsIn>['notices']['waiting'],
  { applicants, requests }: { applicants: Counted; requests: Counted },
): string {
  if (requests.count === 0) return texts.subject(applicants);
  return applicants.count === 0 ? texts.askSubject(requests) : texts.bothSubject;
}
