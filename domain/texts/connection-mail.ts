import type { Provider } from '../payment.ts';
import { type MailContent, oneLine, paragraph } from './mail-content.ts';
import { english, type MailTexts } from './mail-texts.ts';

/** The mail that tells a tenant's owner which account was connected, in case it was not theirs. */
export function connectedMail(
  connection: {
    tenantName: string;
    logoUrl: string | null;
    provider: Provider;
    accountName: string | null;
    merchantId: string;
    posUrl: string;
  },
  texts: MailTexts = english,
): MailContent {
  const { provider, accountName, merchantId, posUrl, logoUrl } = connection;
  const shop = oneLine(connection.tenantName);
  const account = accountName === null ? merchantId : `${oneLine(accountName)} (${merchantId})`;
  const words = { shop, account, provider };
  return {
    language: texts.language,
    subject: texts.connected.subject(words),
    shop: { name: shop, logoUrl },
    blocks: [
      paragraph(texts.connected.connected(words)),
      paragraph(texts.connected.effect),
      paragraph(texts.connected.stranger),
      { type: 'link', label: texts.connected.link, url: posUrl },
    ],
  };
}
