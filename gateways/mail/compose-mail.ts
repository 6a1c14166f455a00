import { encode, wrap } from 'nodemailer/lib/base64';
import MimeNode, { type MimeNodeEnvelope } from 'nodemailer/lib/mime-node';
import type { RenderedMail } from './render-mail.ts';

/** A mail as a server gets it, and whom its envelope names. */
export type ComposedMail = { raw: string; envelope: MimeNodeEnvelope };

const LINE = 76;

/**
 * Composes a mail with both its texts. The package encodes what stands in headers, and drops line
 * breaks there; left to compose the texts too, it costs as much as sending. They are always
 * encoded, so that no line is too long and no character is lost.
 */
export function composeMail(mail: {
  from: string;
  to: { name: string; address: string };
  messageId: string;
  content: RenderedMail;
}): ComposedMail {
  const { from, to, messageId, content } = mail;
  const root = new MimeNode('multipart/alternative').setHeader({
    From: from,
    To: to,
    Subject: content.subject,
    'Message-ID': messageId,
    ...stopHeaders(content.stopUrl),
  });
  // Decides on the boundary, too.
  const headers = root.buildHeaders();
  const raw = [
    headers,
    '',
    ...part(`--${root.boundary}`, 'text/plain', content.text),
    ...part(`--${root.boundary}`, 'text/html', content.html),
    `--${root.boundary}--`,
    '',
  ].join('\r\n');
  return { raw, envelope: root.getEnvelope() };
}

function part(boundary: string, type: string, text: string): string[] {
  return [
    boundary,
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    wrap(encode(text.replaceAll(/\r?\n/g, '\r\n')), LINE),
  ];
}

/** Mail programs show a button that posts to the address, without asking anybody (RFC 8058). */
function stopHeaders(stopUrl: string | undefined): Record<string, string> {
  if (stopUrl === undefined) return {};
  return {
    'List-Unsubscribe': `<${stopUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
