import { expect, it } from 'vitest';
import { goodwillMail } from '../../../domain/texts/goodwill-mail.ts';

const asked = {
  shop: 'Corner\nCafé',
  points: 1_200,
  answer: null,
  consumersUrl: 'https://app.shop.example/portal/consumers',
  language: null,
};
const texts = (some: Partial<Parameters<typeof goodwillMail>[0]>) => {
  const { subject, blocks } = goodwillMail({ ...asked, isGranted: false, ...some });
  return [subject, ...blocks.flatMap((block) => (block.type === 'paragraph' ? block.text : []))];
};

it('says that points were granted', () => {
  expect(texts({ isGranted: true })).toEqual([
    '1,200 points granted: Corner Café',
    expect.stringContaining('This was granted, and added to the customer’s wallet.'),
  ]);
});

it('says that they were declined and why, unless that was emptied with the customer', () => {
  const declined = [
    '1,200 points not granted: Corner Café',
    expect.stringContaining('You asked for 1,200 points'),
  ];
  expect(texts({ answer: 'It was\nrefunded.' })).toEqual([
    ...declined,
    'The reason: It was refunded.',
  ]);
  expect(texts({})).toEqual(declined);
});

it('says it in German to who reads that', () => {
  expect(texts({ language: 'de', isGranted: true })[0]).toBe('1.200 Punkte gewährt: Corner Café');
});
