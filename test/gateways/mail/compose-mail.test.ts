import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../domain/language.ts';
import { composeMail } from '../../../gateways/mail/compose-mail.ts';
import { type RenderedMail, renderMail } from '../../../gateways/mail/render-mail.ts';
import { mailsIn } from '../../support/mails.ts';

const CONTENT: RenderedMail = { subject: 'Points', text: 'You have 7.\n', html: '<p>7</p>\n' };
const TO = { name: '', address: 'ada@example.com' };
const LONG = 'Überlänge '.repeat(20).trim();
const FROM = 'Loyalty <loyalty@loyalty.example>';

const composed = (content: Partial<RenderedMail>, from = FROM) =>
  composeMail({ from, to: TO, messageId: '<a.7@b.example>', content: { ...CONTENT, ...content } });

/** Reads a composed mail as a mail program does, with the line ends of this machine. */
async function read(raw: string) {
  const { text, html, ...mail } = await PostalMime.parse(raw);
  const lines = (part = '') => part.replaceAll('\r\n', '\n').trimEnd();
  return { ...mail, text: lines(text), html: lines(html) };
}

/** What RFC 5322 demands of any mail, and RFC 2045 of one that every server accepts. */
function expectSendable(raw: string): void {
  expect(raw).toMatch(/^[\t\r\n\x20-\x7e]*$/);
  expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThan(998);
  const [, ...parts] = raw.split('base64\r\n\r\n');
  const encoded = parts.flatMap((part) => part.split('\r\n'));
  for (const line of encoded) expect(line.length).toBeLessThan(77);
}

describe.each(LANGUAGES)('composeMail, in %s', (language) => {
  it.each(Object.entries(mailsIn(language)))('%s', async (_, mail) => {
    const content = renderMail(mail);
    const { raw } = composed(content);
    expectSendable(raw);
    const { subject, text, html } = await read(raw);
    expect({ subject, text, html }).toEqual({
      subject: content.subject,
      text: content.text.trimEnd(),
      html: content.html.trimEnd(),
    });
  });
});

describe('composeMail', () => {
  it.each([
    ['a name with umlauts', 'Café Größe <x@shop.example>', 'Café Größe'],
    ['a quoted name', '"Müller, Söhne & Co." <x@shop.example>', 'Müller, Söhne & Co.'],
    ['a name beyond a line', `${LONG} <x@shop.example>`, LONG],
    ['no name', 'x@shop.example', ''],
    [
      'a name that is a header',
      '"Shop\r\nBcc: eve@example.com" <x@shop.example>',
      'Shop Bcc: eve@example.com',
    ],
  ])('is from %s', async (_, from, name) => {
    const { raw, envelope } = composed({}, from);
    expectSendable(raw);
    const mail = await read(raw);
    expect(mail.from?.address).toBe('x@shop.example');
    expect(mail.from?.name).toBe(name);
    expect(mail.bcc).toBeUndefined();
    expect(envelope).toEqual({ from: 'x@shop.example', to: ['ada@example.com'] });
  });

  it.each([
    ['beyond a line', 'A word and '.repeat(20).trim()],
    ['beyond a line, without a space', 'x'.repeat(300)],
    ['beyond a line, with umlauts and emoji', 'Grüße ☕️👩‍🍳 aus dem Café. '.repeat(12).trim()],
  ])('keeps a subject %s', async (_, subject) => {
    const { raw } = composed({ subject });
    expectSendable(raw);
    expect((await read(raw)).subject).toBe(subject);
  });

  it('lets no subject add a header or a body', async () => {
    const { raw } = composed({ subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nbody' });
    const { bcc, subject, text } = await read(raw);
    expect({ bcc, subject, text }).toEqual({
      bcc: undefined,
      subject: expect.stringMatching(/^Hello\s+Bcc: eve@example.com\s+body$/),
      text: 'You have 7.',
    });
  });

  it('keeps long lines, dots and what looks like a boundary', async () => {
    const text = ['Größe '.repeat(400).trim(), '.', '..', '', 'From x', '--x--', 'end'].join('\n');
    const html = `<p>${'ü'.repeat(5_000)}</p>`;
    const { raw } = composed({ text, html });
    expectSendable(raw);
    expect(await read(raw)).toMatchObject({ text, html });
  });

  it('names how to have no more of a kind sent', async () => {
    const token = `points.7.${'ab'.repeat(99)}`;
    const stopUrl = `https://api.shop.example/api/v1/notices/stop?token=${token}`;
    const { raw } = composed({ stopUrl });
    expectSendable(raw);
    const { headers, messageId, date } = await read(raw);
    const headerOf = (key: string) => headers.find((header) => header.key === key)?.value;
    expect(headerOf('list-unsubscribe')).toBe(`<${stopUrl}>`);
    expect(headerOf('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(messageId).toBe('<a.7@b.example>');
    expect(Date.parse(date ?? '')).not.toBeNaN();
    expect(composed({}).raw).not.toContain('List-Unsubscribe');
  });
});
