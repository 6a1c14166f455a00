import { expect, it } from 'vitest';
import { importMail } from '../../../domain/texts/import-mail.ts';

const END = {
  tenantName: 'Corner Café',
  status: 'done',
  matched: 1_412,
  waiting: 1,
  repeated: 0,
  notTaken: 0,
  frontendUrl: 'https://app.example',
  language: null,
} as const;
const textsOf = (end: Parameters<typeof importMail>[0]) =>
  importMail(end).blocks.flatMap((block) => (block.type === 'paragraph' ? block.text : []));

it('tells how many customers have their points, and how many wait', () => {
  expect(importMail(END)).toMatchObject({ subject: 'Your members were brought over: Corner Café' });
  expect(textsOf(END)).toEqual([
    '1,412 customers have the points of your file now.',
    '1 customer has not signed up yet. Their points wait: for a year where you gave an e-mail ' +
      'address, for 90 days where you gave a phone number.',
  ]);
  expect(textsOf({ ...END, matched: 0, waiting: 0, repeated: 2 })).toEqual([
    '2 customers were in your file more than once, or had been brought over before: only the ' +
      'first time counts.',
  ]);
});

it('tells of an import that was taken back, and of what could not be', () => {
  const reverted = { ...END, status: 'reverted' } as const;
  expect(importMail(reverted).subject).toBe('Your import was undone: Corner Café');
  const taken =
    'The points of your file were taken back from your customers. You can upload it again.';
  expect(textsOf(reverted)).toEqual([taken]);
  expect(textsOf({ ...reverted, notTaken: 70 })).toEqual([
    taken,
    'Used already, and so not taken back: 70 points.',
  ]);
});
