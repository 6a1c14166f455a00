import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import type { MailContent } from '../../../domain/texts/mail-content.ts';
import { codeMail } from '../../../domain/texts/redemption-mail.ts';
import { renderMail } from '../../../gateways/mail/render-mail.ts';

const HOSTILE = `<script>alert(1)</script>"'&<img src=x onerror=alert(1)>`;

const content: MailContent = {
  language: 'en',
  subject: 'A subject',
  shop: { name: 'Corner Café', logoUrl: 'https://api.shop.example/objects/logo.webp' },
  blocks: [
    { type: 'paragraph', text: 'A paragraph.' },
    { type: 'code', code: '9F86D081884C' },
    { type: 'link', label: 'Decide', url: 'https://app.shop.example/invites/7?a=1&b=2' },
  ],
};
const documentOf = (mail: MailContent) => parseHTML(renderMail(mail).html).document;
/** Every attribute by which a mail program would load something. */
const loadedBy = (mail: MailContent) =>
  [...documentOf(mail).querySelectorAll('[src], [srcset], link, [background], object, iframe')].map(
    (element) => element.getAttribute('src'),
  );

describe('renderMail', () => {
  it('says everything in the plain text', () => {
    expect(renderMail(content).text).toBe(
      'A paragraph.\n\n9F86D081884C\n\nDecide:\nhttps://app.shop.example/invites/7?a=1&b=2\n',
    );
  });

  it('says the same in HTML, under the name of the shop and its logo', () => {
    const document = documentOf(content);
    expect(document.documentElement.getAttribute('lang')).toBe('en');
    expect(document.querySelector('title')?.textContent).toBe('A subject');
    const paragraphs = [...document.querySelectorAll('p')].map((p) => p.textContent);
    const url = 'https://app.shop.example/invites/7?a=1&b=2';
    expect(paragraphs).toEqual(['Corner Café', 'A paragraph.', '9F86D081884C', 'Decide', url]);
    expect(document.querySelector('a')?.getAttribute('href')).toBe(url);
    expect(loadedBy(content)).toEqual(['https://api.shop.example/objects/logo.webp']);
  });

  it('ends with plain links to choose and to stop, of which mail programs are told', () => {
    const stop = { label: 'Stop', url: 'https://api.shop.example/stop?a=1&b=2' };
    const choose = { label: 'Choose', url: 'https://app.shop.example/notices' };
    const mail = renderMail({ ...content, footer: { choose, stop } });
    expect(mail.text.endsWith(`--\n\nChoose:\n${choose.url}\n\nStop:\n${stop.url}\n`)).toBe(true);
    const links = [...parseHTML(mail.html).document.querySelectorAll('a')].slice(-2);
    expect(links.map((link) => link.getAttribute('href'))).toEqual([choose.url, stop.url]);
    expect(mail.stopUrl).toBe(stop.url);
    expect(renderMail(content).stopUrl).toBeUndefined();
  });

  it('loads nothing without a logo', () => {
    const without = { ...content, shop: { ...content.shop, logoUrl: null } };
    expect(loadedBy(without)).toEqual([]);
    expect(renderMail(without).html).not.toMatch(/@import|url\(/);
  });

  it('shows hostile texts as texts', () => {
    const hostile: MailContent = {
      language: HOSTILE,
      subject: HOSTILE,
      shop: { name: HOSTILE, logoUrl: HOSTILE, color: HOSTILE },
      blocks: [
        { type: 'paragraph', text: HOSTILE },
        { type: 'code', code: HOSTILE },
        { type: 'link', label: HOSTILE, url: HOSTILE },
      ],
    };
    const document = documentOf(hostile);
    expect(document.querySelectorAll('script')).toHaveLength(0);
    expect(document.querySelectorAll('img')).toHaveLength(1);
    expect(document.querySelectorAll('[onerror]')).toHaveLength(0);
    const paragraphs = [...document.querySelectorAll('p')].map((p) => p.textContent);
    expect(new Set(paragraphs)).toEqual(new Set([HOSTILE]));
  });

  it('shows a code in groups of four, and has it whole for who copies it', () => {
    const blocks = [{ type: 'code', code: '9F86D081884C' }] as const;
    const shown = documentOf({ ...content, blocks }).querySelector('p > span');
    expect(shown?.textContent).toBe('9F86D081884C');
    expect([...(shown?.childNodes ?? [])].map((group) => group.textContent)).toEqual([
      '9F86',
      'D081',
      '884C',
    ]);
  });

  it('leaves the colours of texts to the reader, who may read in the dark', () => {
    const { html } = renderMail(content);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    const colours = [...html.matchAll(/(?:;|")color:([^;"]*)/g)].map(([, colour]) => colour);
    expect(new Set(colours)).toEqual(new Set(['inherit']));
  });

  it('has lines in the colour of the shop, and in grey without one', () => {
    const lines = ({ html }: { html: string }) =>
      new Set(
        [...html.matchAll(/(?:border-color:|border-top:6px solid )(#\w+)/g)].map((m) => m[1]),
      );
    const shop = { ...content.shop, color: '#7a1f3d' };
    expect(lines(renderMail({ ...content, shop }))).toEqual(new Set(['#7a1f3d']));
    expect(lines(renderMail(content))).toEqual(new Set(['#7c8798']));
  });

  it('the mail with a code, in plain text', () => {
    const mail = codeMail([
      {
        tenantName: 'Corner Café',
        logoUrl: null,
        color: null,
        currency: 'EUR',
        country: 'IN',
        timeZone: null,
        points: 500,
        discountValueMinorUnits: 500,
        reward: null,
        expiresAt: new Date('2026-01-15T10:15:02.345Z'),
        language: null,
        code: '9F86D081884C',
        codeUrl: 'https://app.shop.example/wallet/codes/7',
        expiredCodes: 'refund',
      },
    ]);
    expect(renderMail(mail).text).toBe(`Your code for Corner Café:

9F86D081884C

It is worth €5.00 (500 points).

Show it at the till. It can be used once, until 15 January 2026, 15:45 (UTC+05:30).

If you do not use it by then, it expires and you get your 500 points back.

See it in the app:
https://app.shop.example/wallet/codes/7

You did not ask for a code? Then somebody else is signed in as you: change your password.
`);
  });
});
