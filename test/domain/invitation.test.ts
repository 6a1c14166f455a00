import { expect, it } from 'vitest';
import { invitationMail } from '../../domain/invitation.ts';

it('names the shop and says where to sign in', () => {
  const mail = invitationMail({ tenantName: 'Corner Café', signInUrl: 'https://app.shop.example' });
  expect(mail.subject).toBe('You are invited to work at Corner Café');
  expect(mail.text).toContain('Corner Café invites you');
  expect(mail.text).toMatch(/^https:\/\/app\.shop\.example$/m);
});
