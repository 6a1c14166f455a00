/** What a mail says, before it is laid out as plain text and as HTML. */
export type MailContent = {
  /** The language of its texts, as a BCP 47 tag. */
  language: string;
  /** One line. */
  subject: string;
  /** On whose behalf it is sent. */
  shop: { name: string; logoUrl: string | null; color?: string | null };
  blocks: readonly MailBlock[];
  /** Below everything else: how to choose of what to be told, and to get no more of this kind. */
  footer?: { choose: SmallLink; stop: SmallLink };
};

type SmallLink = { label: string; url: string };

/** A part of a mail. A code is set off, so that it can be read out; a link is a button in HTML. */
export type MailBlock =
  | { type: 'paragraph'; text: string }
  | { type: 'code'; code: string }
  | { type: 'link'; label: string; url: string };

/** Makes a paragraph. */
export function paragraph(text: string): MailBlock {
  return { type: 'paragraph', text };
}

// Control characters, line breaks, and the marks that would turn the text after them around.
const NOT_IN_A_NAME = /[\s\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;

/** A name in one line. Names are free text, which must not start a new line or header of a mail. */
export function oneLine(name: string): string {
  return name.replaceAll(NOT_IN_A_NAME, ' ').trim();
}
