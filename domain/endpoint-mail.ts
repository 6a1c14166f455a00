import type { MailText } from './redemption-mail.ts';
import { SILENT_DAYS } from './webhook-retries.ts';

/** The mail that tells a tenant's owners that an endpoint gets no more events. */
export function disabledEndpointMail(endpoint: { tenantName: string; url: string }): MailText {
  const shop = endpoint.tenantName.replace(/\s+/g, ' ');
  return {
    subject: `Webhooks of ${shop} are no longer sent`,
    text: [
      `${shop} sends its events to ${endpoint.url}.`,
      `For ${SILENT_DAYS} days that address took none of them, so nothing is sent there any more.`,
      '',
      'When it answers again, make the endpoint active. It then gets what has happened meanwhile,',
      'as far as that is not older than 30 days.',
      '',
    ].join('\n'),
  };
}
