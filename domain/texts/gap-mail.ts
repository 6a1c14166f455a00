import type { Language } from '../language.ts';
import type { Provider } from '../payment.ts';
import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { formatNumber, momentOf } from './mail-formats.ts';
import { mailTextsIn } from './mail-texts.ts';
import { providerName } from './provider-name.ts';

/** The sales that the mail is about. */
export type Gap = {
  tenantName: string;
  provider: Provider;
  payments: number;
  since: Date;
  timeZone: string;
  frontendUrl: string;
  language: Language | null;
};

/** The mail that tells a tenant's owners that their provider's webhooks do not arrive. */
export function gapMail({
  tenantName,
  provider: itsName,
  payments: count,
  since,
  timeZone,
  frontendUrl,
  ...to
}: Gap): MailContent {
  const texts = mailTextsIn(to.language);
  const { language, gap } = texts;
  const provider = providerName(itsName);
  const shop = oneLine(tenantName);
  const written = formatNumber(count, language);
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
