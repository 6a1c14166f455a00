import { describe, expect, it } from 'vitest';
import { connectedMail } from '../../../domain/texts/connection-mail.ts';

const connection = {
  tenantName: 'Café\r\nBcc:  all@example.com',
  logoUrl: null,
  provider: 'alpha',
  accountName: 'Main\nstreet',
  merchantId: 'M7',
  posUrl: 'https://app.example/pos',
} as const;

describe('connectedMail', () => {
  it('says which account was connected to which shop, in a subject of one line', () => {
    expect(connectedMail(connection)).toEqual({
      language: 'en',
      subject: 'An account was connected to Café Bcc: all@example.com',
      shop: { name: 'Café Bcc: all@example.com', logoUrl: null },
      blocks: [
        {
          type: 'paragraph',
          text: 'The account Main street (M7) at alpha was connected to Café Bcc: all@example.com.',
        },
        {
          type: 'paragraph',
          text: 'Its sales now earn points there, and are shown to the people who run it.',
        },
        { type: 'paragraph', text: 'You do not know this account? Then disconnect it.' },
        { type: 'link', label: 'See the connected accounts', url: 'https://app.example/pos' },
      ],
    });
  });

  it('names an account without a name by its id', () => {
    const [first] = connectedMail({ ...connection, accountName: null }).blocks;
    expect(first).toMatchObject({
      text: expect.stringMatching(/^The account M7 at alpha was connected/),
    });
  });
});
