import { expect, it } from 'vitest';
import { waitingMail } from '../../../domain/texts/waiting-mail.ts';

const officeUrl = 'https://app.shop.example/office';
const urls = { language: null, officeUrl, stopUrl: 'https://api.shop.example/stop' };
const waiting = (applicants: number, requests: number) =>
  waitingMail({ applicants, requests, ...urls });

it('says it in German to who reads that', () => {
  expect(waitingMail({ applicants: 2, requests: 0, ...urls, language: 'de' }).subject).toBe(
    '2 Händler warten auf Freigabe',
  );
});

it.each([
  [1, 'A merchant waits for approval', 'A merchant has applied'],
  [1_200, '1,200 merchants wait for approval', '1,200 merchants have applied'],
])('says how many wait: %d', (count, subject, begins) => {
  const mail = waiting(count, 0);
  expect(mail.subject).toBe(subject);
  const [wait, link, ...others] = mail.blocks;
  expect(wait).toMatchObject({ text: expect.stringMatching(`^${begins}`) });
  expect(link).toMatchObject({ url: officeUrl });
  expect(others).toEqual([]);
  expect(mail.footer).toMatchObject({
    choose: { url: `${officeUrl}/notices` },
    stop: { url: urls.stopUrl },
  });
});

it.each([
  [1, 'A shop asks for points', 'A shop has asked for points for a customer,'],
  [2, 'Shops ask for points 2 times', 'Shops have asked for points for 2 customers,'],
])('says for how many customers points are asked: %d', (count, subject, begins) => {
  const mail = waiting(0, count);
  expect(mail.subject).toBe(subject);
  const [ask, link, ...others] = mail.blocks;
  expect(ask).toMatchObject({ text: expect.stringMatching(`^${begins}`) });
  expect(link).toMatchObject({ url: `${officeUrl}/goodwill` });
  expect(others).toEqual([]);
});

it('says both, each with where to decide', () => {
  const { subject, blocks } = waiting(1, 1);
  expect(subject).toBe('Applications, and points for goodwill, wait for you');
  expect(blocks.flatMap((block) => (block.type === 'link' ? block.url : []))).toEqual([
    officeUrl,
    `${officeUrl}/goodwill`,
  ]);
});
