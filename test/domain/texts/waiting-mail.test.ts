import { expect, it } from 'vitest';
import { waitingMail } from '../../../domain/texts/waiting-mail.ts';

const urls = {
  language: null,
  officeUrl: 'https://app.shop.example/office',
  choicesUrl: 'https://app.shop.example/office/notices',
  stopUrl: 'https://api.shop.example/stop',
};

it('says it in German to who reads that', () => {
  expect(waitingMail({ count: 2, ...urls, language: 'de' }).subject).toBe(
    '2 Händler warten auf Freigabe',
  );
});

it.each([
  [1, 'A merchant waits for approval', 'A merchant has applied'],
  [1_200, '1,200 merchants wait for approval', '1,200 merchants have applied'],
])('says how many wait: %d', (count, subject, begins) => {
  const mail = waitingMail({ count, ...urls });
  expect(mail.subject).toBe(subject);
  const [wait, link] = mail.blocks;
  expect(wait).toMatchObject({ text: expect.stringMatching(`^${begins}`) });
  expect(link).toMatchObject({ url: urls.officeUrl });
  expect(mail.footer).toMatchObject({
    choose: { url: urls.choicesUrl },
    stop: { url: urls.stopUrl },
  });
});
