/** The characters that are compared first. A shorter text is found by chance. */
export const WINDOW = 8;

export type Encoded = { encoding: string; text: string };

/**
 * Returns the forms in which a value may be hidden in a longer text, in lower case. Throws if it is
 * so short that it may occur by chance.
 */
export function encodingsOf(value: string): Encoded[] {
  if (value.length < WINDOW) throw new Error('A value to look for needs 8 characters or more.');
  const bytes = Buffer.from(value);
  const inAddress = encodeURIComponent(value);
  const forms: Encoded[] = [
    { encoding: 'plain', text: value },
    { encoding: 'json', text: JSON.stringify(value).slice(1, -1) },
    { encoding: 'json in json', text: JSON.stringify(JSON.stringify(value)).slice(3, -3) },
    { encoding: 'address', text: inAddress },
    { encoding: 'address', text: encodeURI(value) },
    { encoding: 'address', text: encodeURIComponent(inAddress) },
    { encoding: 'html', text: value.replaceAll('&', '&amp;').replaceAll('+', '&#43;') },
    { encoding: 'hex', text: bytes.toString('hex') },
    { encoding: 'quoted-printable', text: value.replaceAll('=', '=3D') },
    ...phoneForms(value),
    ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset)),
  ];
  const texts = new Map<string, string>();
  for (const { encoding, text } of forms) {
    const lower = text.toLowerCase();
    if (!texts.has(lower)) texts.set(lower, encoding);
  }
  return [...texts].map(([text, encoding]) => ({ encoding, text }));
}

/** A phone number is also written without its plus. */
function phoneForms(value: string): Encoded[] {
  if (!/^\+\d{9,15}$/.test(value)) return [];
  return [{ encoding: 'phone without plus', text: value.slice(1) }];
}

/**
 * The part of the base64 that depends on the value alone, if it begins `offset` bytes after a
 * multiple of three: a character holds six bits, so that the outer ones hold bits of others.
 */
function base64At(bytes: Buffer, offset: number): Encoded[] {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
  const first = Math.ceil((offset * 8) / 6);
  const end = Math.floor((padded.length * 8) / 6);
  return (['base64', 'base64url'] as const).map((encoding) => ({
    encoding,
    text: padded.toString(encoding).slice(first, end),
  }));
}
