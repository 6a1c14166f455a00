import { expect, it } from 'vitest';
import { expiringMail } from '../../../domain/texts/expiring-mail.ts';

const MARCH_2026 = 2026 * 12 + 2;
const shop = { name: 'Corner Café', logoUrl: null, color: '#123456' };
const walletUrl = 'https://app.shop.example/wallet/wallets/1';
const mailOf = (points: number) =>
  expiringMail({ shop, points, month: MARCH_2026, walletUrl, language: null });

it('says what expires where, and when', () => {
  const { subject, blocks } = mailOf(1_250);
  expect(subject).toBe('1,250 points at Corner Café expire soon');
  expect(blocks).toEqual([
    {
      type: 'paragraph',
      text: '1,250 points at Corner Café expire at the end of 31 March 2026.',
    },
    {
      type: 'paragraph',
      text: 'Redeem them before then: what you use is taken from the points that expire first.',
    },
    { type: 'link', label: 'Open your wallet', url: walletUrl },
  ]);
});

it('counts one point', () => {
  expect(mailOf(1).blocks[0]).toMatchObject({
    text: '1 point at Corner Café expires at the end of 31 March 2026.',
  });
});
