import { describe, expect, it } from 'vitest';
import { codeMail, expiryMail } from '../../domain/redemption-mail.ts';

const redemption = {
  tenantName: 'Corner Café',
  points: 500,
  expiresAt: new Date('2026-01-15T10:15:02.345Z'),
};

describe('codeMail', () => {
  it('has the code in the text, with its expiry, but not in the subject', () => {
    const { subject, text } = codeMail({ ...redemption, code: '9F86D081884C' });
    expect(text).toContain('9F86D081884C');
    expect(text).toContain('500 points');
    expect(text).toContain('2026-01-15 10:15 UTC');
    expect(subject).toBe('Your redemption code for Corner Café');
  });

  it('keeps the name of the shop on one line', () => {
    const tenantName = 'Shop\r\nBcc: all@example.com\u2028x';
    const { subject, text } = codeMail({ ...redemption, tenantName, code: 'X' });
    expect(subject).toBe('Your redemption code for Shop Bcc: all@example.com x');
    expect(text).not.toContain('\r');
    expect(text.split('\n')[0]).toContain('Shop Bcc');
  });
});

describe('expiryMail', () => {
  it('says whether the points are returned', () => {
    const back = expiryMail({ ...redemption, pointsReturned: true });
    expect(back.subject).toBe('Your 500 points for Corner Café are back');
    expect(back.text).toContain('are back in your wallet');
    const gone = expiryMail({ ...redemption, pointsReturned: false });
    expect(gone.subject).toContain('has expired');
    expect(gone.text).toContain('not returned');
  });
});

it('the mails as a whole', () => {
  expect(codeMail({ ...redemption, tenantName: ' Corner Café\n', code: 'C0DE' }).text).toBe(
    [
      'Your code for Corner Café: C0DE',
      '',
      'It is worth 500 points, can be used once, and expires at 2026-01-15 10:15 UTC.',
      'Show it at the till. If you do not use it in time, this code cannot be used any more.',
      '',
      'You did not ask for a code? Then somebody is signed in as you: change your password.',
      '',
    ].join('\n'),
  );
  const was = 'Your redemption code for Corner Café was not used by 2026-01-15 10:15 UTC';
  expect(expiryMail({ ...redemption, pointsReturned: false }).text).toBe(
    `${was} and has expired.\nIts 500 points are not returned to your wallet.\n`,
  );
});
