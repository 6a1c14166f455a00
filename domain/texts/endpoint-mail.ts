import type { Language } from '../language.ts';
import { SILENT_DAYS } from '../webhook-retries.ts';
import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { mailTextsIn } from './mail-texts.ts';

/** The mail that tells a tenant's owners that an endpoint gets no more events. */
export function disabledEndpointMail({
  tenantName,
  url,
  language,
}: {
  tenantName: string;
  url: string;
  language: Language | null;
}): MailContent {
  const texts = mailTextsIn(language);
  const shop = oneLine(tenantName);
  return {
    language: texts.language,
    subject: texts.endpoint.subject({ shop }),
    shop: { name: shop, logoUrl: null },
    blocks: [
      paragraph(texts.endpoint.disabled({ shop, url, days: SILENT_DAYS })),
      paragraph(texts.endpoint.again),
    ],
  };
}
