import { describe, expect, it } from 'vitest';
import { codeMail, expiryMail } from '../../../domain/texts/redemption-mail.ts';

const redemption = {
  tenantName: 'Corner Café',
  color: '#7a1f3d',
  logoUrl: 'https://api.shop.example/objects/logo.webp',
  currency: 'USD',
  country: null,
  timeZone: null,
  points: 500,
  discountValueMinorUnits: 500,
  reward: null,
  expiresAt: new Date('2026-01-15T10:15:02.345Z'),
  language: null,
};
const codeUrl = 'https://app.shop.example/wallet/codes/7';
const code = { code: '9F86D081884C', codeUrl } as const;
const refunded = { ...redemption, ...code, expiredCodes: 'refund' } as const;

const paragraphsOf = ({ blocks }: ReturnType<typeof codeMail>) =>
  blocks.flatMap((block) => (block.type === 'paragraph' ? [block.text] : []));

describe('codeMail', () => {
  it('says which reward the code is for, and nothing of a worth', () => {
    const item = { ...refunded, reward: 'A coffee', discountValueMinorUnits: 0 };
    expect(paragraphsOf(codeMail([item]))).toContain('It is for “A coffee” (500 points).');
    expect(paragraphsOf(codeMail([item])).join()).not.toContain('worth');
  });

  it('says what the code is worth, until when, and that the points come back', () => {
    expect(codeMail([refunded])).toEqual({
      language: 'en',
      subject: 'Your code for Corner Café',
      shop: { name: 'Corner Café', logoUrl: redemption.logoUrl, color: '#7a1f3d' },
      blocks: [
        { type: 'paragraph', text: 'Your code for Corner Café:' },
        { type: 'code', code: '9F86D081884C' },
        { type: 'paragraph', text: 'It is worth $5.00 (500 points).' },
        {
          type: 'paragraph',
          text:
            'Show it at the till. It can be used once, until 15 January 2026, 10:15 ' + '(UTC).',
        },
        {
          type: 'paragraph',
          text: 'If you do not use it by then, it expires and you get your 500 points back.',
        },
        { type: 'link', label: 'See it in the app', url: codeUrl },
        {
          type: 'paragraph',
          text:
            'You did not ask for a code? Then somebody else is signed in as you: change your ' +
            'password.',
        },
      ],
    });
  });

  it('says the same of each of several, in one mail', () => {
    const mail = codeMail([refunded, { ...refunded, code: '000000000001', points: 7 }]);
    expect(mail.subject).toBe('Your 2 codes for Corner Café');
    expect(mail.blocks.map((block) => (block.type === 'code' ? block.code : '-'))).toEqual([
      '-',
      '9F86D081884C',
      '-',
      '-',
      '-',
      '000000000001',
      '-',
      '-',
      '-',
      '-',
      '-',
    ]);
    expect(paragraphsOf(mail)[0]).toMatch(/^You were given 2 codes .* a minute:$/);
  });

  it('says that the points are lost where that is the policy', () => {
    const text = paragraphsOf(codeMail([{ ...refunded, expiredCodes: 'forfeit' }])).join('\n');
    expect(text).toContain('it expires and you lose its 500 points.');
    expect(text).not.toContain('back');
  });

  it.each([
    ['JPY', 'It is worth ¥500 (500 points).'],
    ['KWD', 'It is worth KWD\u00a00.500 (500 points).'],
    [null, 'It is worth 500 points.'],
  ])('tells the worth in %s', (currency, sentence) => {
    expect(paragraphsOf(codeMail([{ ...refunded, currency }]))).toContain(sentence);
  });

  it('tells the time by the clocks of the shop', () => {
    const text = paragraphsOf(codeMail([{ ...refunded, country: 'DE' }])).join('\n');
    expect(text).toContain('until 15 January 2026, 11:15 (UTC+01:00).');
    const set = codeMail([{ ...refunded, country: 'US', timeZone: 'America/New_York' }]);
    expect(paragraphsOf(set).join()).toContain('until 15 January 2026, 05:15 (UTC-05:00).');
  });

  it('tells one point from many', () => {
    const one = { ...refunded, points: 1, discountValueMinorUnits: 1 };
    expect(paragraphsOf(codeMail([one]))).toContain('It is worth $0.01 (1 point).');
    const many = { ...refunded, points: 12_500, discountValueMinorUnits: 12_500 };
    expect(paragraphsOf(codeMail([many]))).toContain('It is worth $125.00 (12,500 points).');
  });

  it('is written of at least one code', () => {
    expect(() => codeMail([])).toThrow('A mail with codes needs a code.');
  });

  it('keeps the name of the shop on one line', () => {
    const tenantName = 'Shop\r\nBcc: all@example.com\u2028x';
    const mail = codeMail([{ ...refunded, tenantName }]);
    expect(mail.subject).toBe('Your code for Shop Bcc: all@example.com x');
    expect(JSON.stringify(mail)).not.toMatch(/\\[rn]|\u2028/);
  });
});

describe('expiryMail', () => {
  const until = '15 January 2026, 10:15 (UTC)';
  const expired = `Your code for Corner Café was not used by ${until} and has expired.`;

  it('says that the points are back', () => {
    const mail = expiryMail({ ...redemption, pointsReturned: true });
    expect(mail.subject).toBe('Your 500 points for Corner Café are back');
    expect(paragraphsOf(mail)).toEqual([
      expired,
      'Its 500 points, worth $5.00, went back to your wallet.',
    ]);
    const one = expiryMail({ ...redemption, points: 1, currency: null, pointsReturned: true });
    expect(one.subject).toBe('Your 1 point for Corner Café is back');
    expect(paragraphsOf(one)).toContain('Its 1 point went back to your wallet.');
  });

  it('does not take what a reward is worth for what its points are', () => {
    const reward = { points: 100, discountValueMinorUnits: 500, reward: '€5 for books' };
    expect(paragraphsOf(expiryMail({ ...redemption, ...reward, pointsReturned: true }))).toContain(
      'Its 100 points went back to your wallet.',
    );
  });

  it('says that the points are lost', () => {
    const mail = expiryMail({ ...redemption, pointsReturned: false });
    expect(mail.subject).toBe('Your code for Corner Café has expired');
    expect(paragraphsOf(mail)).toEqual([
      expired,
      'Its 500 points, worth $5.00, did not go back to your wallet: the points of unused codes ' +
        'are lost.',
    ]);
  });
});
