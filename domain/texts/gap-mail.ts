import type { Provider } from '../payment.ts';
import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { formatCount, momentOf } from './mail-formats.ts';
import { english, type MailTexts } from './mail-texts.ts';

/** The sales that the mail is about. */
export type Gap = {
  tenantName: string;
  provider: Provider;
  payments: number;
  since: Date;
  timeZone: string;
  frontendUrl: string;
};

/** The mail that tells a tenant's owners that their provider's webhooks do not arrive. */
export function gapMail(
  { tenantName, provider, payments: count, since, timeZone, frontendUrl }: Gap,
  texts: MailTexts = english,
): MailContent {
  const { language, gap } = texts;
  const shop = oneLine(tenantName);
  const written = formatCount(count, language);
  const sales = texts.sales(count, written);
  const at = texts.moment(momentOf(since, language, timeZone));
  return {
    language,
    subject: gap.subject({ shop, provider }),
    shop: { name: shop, logoUrl: null },
    blocks: [
      paragraph(gap.found({ sales, count, provider, at })),
      paragraph(gap.look),
      { type: 'link', label: gap.link, url: `${frontendUrl}/pos` },
    ],
  };
}
