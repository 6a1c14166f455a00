import type { Language } from '../language.ts';
import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { mailTextsIn } from './mail-texts.ts';

/** A merchant's place, and where to begin. */
type Approval = { shop: string; portalUrl: string; language: Language | null };

/** The mail to a merchant who was approved, with where to begin. */
export function approvalMail({ portalUrl, ...approved }: Approval): MailContent {
  const { language, approval } = mailTextsIn(approved.language);
  const shop = oneLine(approved.shop);
  return {
    language,
    subject: approval.subject({ shop }),
    shop: { name: shop, logoUrl: null },
    blocks: [
      paragraph(approval.approved({ shop })),
      paragraph(approval.next),
      { type: 'link', label: approval.link, url: portalUrl },
    ],
  };
}
