import { expect, it } from 'vitest';
import { type MailedCode, MOST_RESENT, requireResendable } from '../../domain/resending.ts';

const mailed: MailedCode = {
  status: 'issued',
  usedAt: null,
  cancelled: false,
  expiresAt: new Date('2026-01-15T10:15:00Z'),
  isMailed: true,
  isMailedLately: false,
  resent: MOST_RESENT - 1,
  hasAddress: true,
};

it('lets the mail of an open code be sent again, thrice, a minute after the last', () => {
  expect(() => requireResendable(mailed)).not.toThrow();
  const refused: Partial<Record<string, Partial<MailedCode>>> = {
    code_used: { status: 'used', usedAt: new Date() },
    code_cancelled: { status: 'expired', cancelled: true },
    code_expired: { status: 'expired' },
    no_verified_email: { hasAddress: false },
    mail_underway: { isMailed: false },
    mailed_often: { resent: MOST_RESENT },
    mailed_lately: { isMailedLately: true },
  };
  for (const [code, state] of Object.entries(refused)) {
    const resending = () => requireResendable({ ...mailed, ...state });
    expect(resending).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ code })] }),
    );
  }
});
