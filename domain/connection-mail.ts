import type { Provider } from './payment.ts';
import type { MailText } from './redemption-mail.ts';

/** The mail that tells a tenant's owner which account was connected, in case it was not theirs. */
export function connectedMail(connection: {
  tenantName: string;
  provider: Provider;
  accountName: string | null;
  merchantId: string;
  posUrl: string;
}): MailText {
  const { provider, accountName, merchantId, posUrl } = connection;
  const shop = connection.tenantName.replace(/\s+/g, ' ');
  const account = accountName === null ? merchantId : `${accountName} (${merchantId})`;
  return {
    subject: `An account was connected to ${shop}`,
    text: [
      `The account ${account} at ${provider} was connected to ${shop}.`,
      'Its sales now earn points there, and are shown to the people who run it.',
      '',
      'You do not know this account? Then disconnect it:',
      '',
      posUrl,
      '',
    ].join('\n'),
  };
}
