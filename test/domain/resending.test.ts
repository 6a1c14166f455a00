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
});

const refused: { code: string; state: Partial<MailedCode>; message: string }[] = [
  {
    code: 'code_used',
    state: { status: 'used', usedAt: new Date('2026-01-15T10:05:00Z') },
    message: 'This code has already been used. Ask the customer for a new one.',
  },
  {
    code: 'code_cancelled',
    state: { status: 'expired', cancelled: true },
    message: 'This code was cancelled. Ask the customer for a new one.',
  },
  {
    code: 'code_expired',
    state: { status: 'expired' },
    message: 'This code has expired. Ask the customer for a new one.',
  },
  {
    code: 'no_verified_email',
    state: { hasAddress: false },
    message: 'The customer has no verified address. The code is in their app.',
  },
  {
    code: 'mail_underway',
    state: { isMailed: false },
    message: 'The mail is still on its way. The code is in the app of the customer, too.',
  },
  {
    code: 'mailed_often',
    state: { resent: MOST_RESENT },
    message: "The code was sent 3 times again. It is in the customer's app.",
  },
  {
    code: 'mailed_lately',
    state: { isMailedLately: true },
    message: 'The code was mailed within the last minute. Wait a little, and look for spam.',
  },
];

it.each(refused)('refuses for $code, and says what to do', ({ code, state, message }) => {
  const issues = [expect.objectContaining({ path: '', code, message })];
  expect(() => requireResendable({ ...mailed, ...state })).toThrow(
    expect.objectContaining({ code: 'RULE_REJECTED', message, issues }),
  );
});
