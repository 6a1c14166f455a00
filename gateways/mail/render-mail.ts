import { escapeHtml } from '../../domain/texts/escape-html.ts';
import type { MailBlock, MailContent } from '../../domain/texts/mail-content.ts';

/** A mail as it is sent. Each of both texts says everything. */
export type RenderedMail = {
  subject: string;
  text: string;
  html: string;
  /** Where a mail program, too, can have no more mails of its kind sent. */
  stopUrl?: string | undefined;
};

/**
 * Lays a mail out as plain text and as HTML. Everything is escaped, and nothing is loaded but the
 * shop's logo. Text has the colours of the reader, so that it can be read in the dark, too.
 */
export function renderMail(content: MailContent): RenderedMail {
  const { subject, blocks, footer } = content;
  const below = footer ? ['--', linkText(footer.choose), linkText(footer.stop)] : [];
  const text = `${[...blocks.map(asText), ...below].join('\n\n')}\n`;
  return { subject, text, html: asHtml(content), stopUrl: footer?.stop.url };
}

const linkText = ({ label, url }: { label: string; url: string }) => `${label}:\n${url}`;

function asText(block: MailBlock): string {
  switch (block.type) {
    case 'paragraph':
      return block.text;
    case 'code':
      return block.code;
    case 'link':
      return linkText(block);
  }
}

const BODY = "margin:0;padding:24px 16px;font:16px/1.5 -apple-system,'Segoe UI',sans-serif";
const COLUMN = 'max-width:34rem;margin:0 auto';
// A dark logo would not be seen on a dark background.
const LOGO = 'display:block;max-height:64px;max-width:220px;padding:8px;background:#ffffff';
const NAME = 'font-size:20px;font-weight:bold;margin:12px 0 20px';
const CODE = 'display:inline-block;font:bold 26px/1.4 Menlo,Consolas,monospace;letter-spacing:2px';
const GROUP = 'margin-left:10px';
const FRAME = 'border:2px solid #7c8798;border-radius:8px;padding:8px 16px';
const BUTTON = 'display:inline-block;padding:10px 18px;border-radius:8px';
// Its words have the reader's own color: no shop's color can make them hard to read.
const OUTLINED = 'border:2px solid;color:inherit;text-decoration:none;font-weight:bold';
const NO_COLOR = '#7c8798';
const SMALL = 'font-size:14px;margin-top:32px';

function asHtml({ language, subject, shop, blocks, footer }: MailContent): string {
  // Without a text of its own: the name follows.
  const logo =
    shop.logoUrl === null ? '' : `<img src="${escapeHtml(shop.logoUrl)}" alt="" style="${LOGO}">\n`;
  const color = escapeHtml(shop.color ?? NO_COLOR);
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root { color-scheme: light dark }</style>
</head>
<body style="${BODY}">
<div style="${COLUMN};border-top:6px solid ${color};padding-top:20px">
${logo}<p style="${NAME}">${escapeHtml(shop.name)}</p>
${blocks.map((block) => blockAsHtml(block, color)).join('\n')}
${footer ? footerAsHtml(footer) : ''}</div>
</body>
</html>
`;
}

function blockAsHtml(block: MailBlock, color: string): string {
  switch (block.type) {
    case 'paragraph':
      return `<p>${escapeHtml(block.text)}</p>`;
    case 'code':
      return `<p>${code(block.code, color)}</p>`;
    case 'link': {
      const url = escapeHtml(block.url);
      const style = `${BUTTON};${OUTLINED};border-color:${color}`;
      return `<p><a href="${url}" style="${style}">${escapeHtml(block.label)}</a></p>
<p style="overflow-wrap:anywhere">${url}</p>`;
    }
  }
}

/** Plain links: the mail is about something else. */
function footerAsHtml({ choose, stop }: NonNullable<MailContent['footer']>): string {
  const links = [choose, stop].map(
    ({ label, url }) =>
      `<a href="${escapeHtml(url)}" style="color:inherit">${escapeHtml(label)}</a>`,
  );
  return `<p style="${SMALL}">${links.join('<br>\n')}</p>\n`;
}

/** In groups, as the apps show it, without a space between them: who copies it gets it whole. */
function code(text: string, color: string): string {
  const [first = '', ...others] = text.match(/.{1,4}/gsu) ?? [];
  const groups = others.map((group) => `<span style="${GROUP}">${escapeHtml(group)}</span>`);
  const shown = [escapeHtml(first), ...groups].join('');
  return `<span style="${CODE};${FRAME};border-color:${color}">${shown}</span>`;
}
