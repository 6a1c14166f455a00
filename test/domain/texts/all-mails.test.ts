import { expect, it } from 'vitest';
import { LANGUAGES } from '../../../domain/language.ts';
import type { MailBlock, MailContent } from '../../../domain/texts/mail-content.ts';
import { mailsIn, pushesIn } from '../../support/mails.ts';

const link = ({ label, url }: { label: string; url: string }) => `[${label}](${url})`;

function blockAsRead(block: MailBlock): string {
  if (block.type === 'link') return link(block);
  return block.type === 'code' ? `    ${block.code}` : block.text;
}

function asRead({ subject, shop, blocks, footer }: MailContent): string {
  const look = [shop.name, shop.color, shop.logoUrl].filter((part) => part).join(', ');
  const below = footer ? [`--\n${link(footer.choose)}\n${link(footer.stop)}`] : [];
  return [`From: ${look}\nSubject: ${subject}`, ...blocks.map(blockAsRead), ...below].join('\n\n');
}

const titled = ([name, text]: [string, string]) => `===== ${name} =====\n\n${text}\n`;

// Translators and proofreaders find all texts of a language in one file.
it.each(LANGUAGES)('every mail and push says in %s what it is known to say', async (language) => {
  const mails = Object.entries(mailsIn(language)).map(([name, mail]) => {
    return titled([name, asRead(mail)]);
  });
  const pushes = Object.entries(pushesIn(language)).map(titled);
  await expect(
    [...mails, ...pushes].join('\n'),
    'If the texts are to change: npx vitest run -u test/domain/texts/all-mails.test.ts',
  ).toMatchFileSnapshot(`all-mails.${language}.txt`);
});
