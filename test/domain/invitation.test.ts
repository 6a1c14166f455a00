import { describe, expect, it } from 'vitest';
import { invitationMail } from '../../domain/invitation.ts';

describe('invitationMail', () => {
  it('names the shop and the sign-in address', () => {
    const mail = invitationMail({
      tenantName: 'Corner Café',
      signInUrl: 'https://app.shop.example',
    });
    expect(mail.subject).toBe('You are invited to work at Corner Café');
    expect(mail.text).toContain('Corner Café invites you');
    expect(mail.text).toMatch(/^https:\/\/app\.shop\.example$/m);
  });
});
