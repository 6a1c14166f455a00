import { expect, it } from 'vitest';
import { disabledEndpointMail } from '../../../domain/texts/endpoint-mail.ts';
import { renderMail } from '../../../gateways/mail/render-mail.ts';

it('a mail names the shop in one line, and the address', () => {
  const url = 'https://a.example/x';
  const mail = disabledEndpointMail({ tenantName: 'A\nshop', url, language: null });
  expect(mail.subject).toBe('Webhooks of A shop are no longer sent');
  expect(mail.shop.name).toBe('A shop');
  expect(renderMail(mail).text).toContain(url);
});
