import { expect, it } from 'vitest';
import { disabledEndpointMail } from '../../domain/endpoint-mail.ts';

it('a mail names the shop in one line, and the address', () => {
  const mail = disabledEndpointMail({ tenantName: 'A\nshop', url: 'https://a.example/x' });
  expect(mail.subject).toBe('Webhooks of A shop are no longer sent');
  expect(mail.text).toContain('A shop sends its events to https://a.example/x.');
});
