import { expect, it } from 'vitest';
import { unusualMovementsMail } from '../../../domain/texts/unusual-mail.ts';
import { renderMail } from '../../../gateways/mail/render-mail.ts';

it.each([
  [1, 'At A shop a customer had more than 5 sales and codes within 24 hours.'],
  [3, 'At A shop 3 customers had more than 5 sales and codes within 24 hours.'],
])('a mail about %i says how many, and where to look', (people, sentence) => {
  const mail = unusualMovementsMail({ tenantName: 'A\nshop', people, language: null });
  expect(mail.subject).toBe('Unusual movements of points at A shop');
  const { text } = renderMail(mail);
  expect(text.replaceAll(/\s+/g, ' ')).toContain(sentence);
  expect(text).toContain('under Customers');
});
