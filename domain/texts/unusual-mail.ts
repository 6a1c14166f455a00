import type { Language } from '../language.ts';
import { USUAL_MOVEMENTS } from '../unusual.ts';
import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { formatNumber } from './mail-formats.ts';
import { mailTextsIn } from './mail-texts.ts';

/** The mail that tells a tenant's owners of consumers who move points more often than is usual. */
export function unusualMovementsMail({
  tenantName,
  people: count,
  language,
}: {
  tenantName: string;
  people: number;
  language: Language | null;
}): MailContent {
  const texts = mailTextsIn(language);
  const customers = texts.customers(count, formatNumber(count, texts.language));
  const shop = oneLine(tenantName);
  return {
    language: texts.language,
    subject: texts.unusual.subject({ shop }),
    shop: { name: shop, logoUrl: null },
    blocks: [
      paragraph(texts.unusual.found({ shop, count, customers, usual: USUAL_MOVEMENTS })),
      paragraph(texts.unusual.look),
    ],
  };
}
