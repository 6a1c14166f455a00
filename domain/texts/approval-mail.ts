import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { english, type MailTexts } from './mail-texts.ts';

/** The mail to a merchant who was approved, with where to begin. */
export function approvalMail(
  facts: { shop: string; portalUrl: string },
  texts: MailTexts = english,
): MailContent {
  const { language, approval } = texts;
  const shop = oneLine(facts.shop);
  return {
    language,
    subject: approval.subject({ shop }),
    shop: { name: shop, logoUrl: null },
    blocks: [
      paragraph(approval.approved({ shop })),
      paragraph(approval.next),
      { type: 'link', label: approval.link, url: facts.portalUrl },
    ],
  };
}
