import { expect, it } from 'vitest';
import { pointsMail } from '../../../domain/texts/points-mail.ts';

const came = {
  shop: { name: 'Corner\nCafé', logoUrl: null, color: '#123456' },
  points: 1_250,
  isBroughtOver: false,
  language: null,
  walletUrl: 'https://app.shop.example/wallet/wallets/1',
  choicesUrl: 'https://app.shop.example/wallet/notices',
  stopUrl: 'https://api.shop.example/stop',
};
const textsOf = (isFirst: boolean) =>
  pointsMail({ ...came, isFirst }).blocks.map((block) => 'text' in block && block.text);

it('says how many points came where, with a link to them and one to have no more of it', () => {
  const { subject, footer, blocks } = pointsMail({ ...came, isFirst: false });
  expect(subject).toBe('You got 1,250 points at Corner Café');
  expect(blocks).toEqual([
    {
      type: 'paragraph',
      text: 'You got 1,250 points at Corner Café. Your wallet shows what you have there now.',
    },
    { type: 'link', label: 'See your points', url: came.walletUrl },
  ]);
  expect(footer).toEqual({
    choose: { label: 'Choose what we write about', url: came.choicesUrl },
    stop: { label: 'No more mails about points', url: came.stopUrl },
  });
});

it('says it in German to who reads that', () => {
  const { subject, language } = pointsMail({ ...came, isFirst: true, language: 'de' });
  expect([language, subject]).toEqual(['de', '1.250 Punkte bei Corner Café bekommen']);
});

it('says of the first points that it is not said of each', () => {
  expect(textsOf(true).at(-1)).toContain('first points at a shop only');
  expect(textsOf(false).join()).not.toContain('first');
});

it('greets who had points there before as somebody who did, and does not say what is left', () => {
  const { blocks } = pointsMail({ ...came, isFirst: true, isBroughtOver: true });
  expect(blocks[0]).toMatchObject({
    text:
      'Corner Café has brought over what you had collected there before. You got 1,250 points. ' +
      'Your wallet shows what you have there now, and what it is worth.',
  });
});
