import { USUAL_MOVEMENTS } from '../unusual.ts';
import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { english, type MailTexts } from './mail-texts.ts';

/** The mail that tells a tenant's owners of consumers who move points more often than is usual. */
export function unusualMovementsMail(
  { tenantName, people }: { tenantName: string; people: number },
  texts: MailTexts = english,
): MailContent {
  const shop = oneLine(tenantName);
  return {
    language: texts.language,
    subject: texts.unusual.subject({ shop }),
    shop: { name: shop, logoUrl: null },
    blocks: [
      paragraph(texts.unusual.found({ shop, people, usual: USUAL_MOVEMENTS })),
      paragraph(texts.unusual.look),
    ],
  };
}
