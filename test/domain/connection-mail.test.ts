import { describe, expect, it } from 'vitest';
import { connectedMail } from '../../domain/connection-mail.ts';

const connection = {
  tenantName: 'Café\r\nBcc:  all@example.com',
  provider: 'alpha',
  accountName: 'Main street',
  merchantId: 'M7',
  posUrl: 'https://app.example/pos',
} as const;

describe('connectedMail', () => {
  it('says which account was connected to which shop, in a subject of one line', () => {
    expect(connectedMail(connection)).toEqual({
      subject: 'An account was connected to Café Bcc: all@example.com',
      text: [
        'The account Main street (M7) at alpha was connected to Café Bcc: all@example.com.',
        'Its sales now earn points there, and are shown to the people who run it.',
        '',
        'You do not know this account? Then disconnect it:',
        '',
        'https://app.example/pos',
        '',
      ].join('\n'),
    });
  });

  it('names an account without a name by its id', () => {
    const { text } = connectedMail({ ...connection, accountName: null });
    expect(text).toMatch(/^The account M7 at alpha was connected/);
  });
});
