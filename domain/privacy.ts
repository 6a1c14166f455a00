export type Contacts = { email: string | null; phone: string | null };

const HIDDEN = '***';
/** As many as a person needs to tell their own number from others. */
const SHOWN_DIGITS = 3;

/**
 * Contacts as a merchant may see them: enough to recognise a known customer, too little to write
 * to an unknown one. `anna@example.com` becomes `a***@example.com`.
 */
export function maskContacts({ email, phone }: Contacts): Contacts {
  return { email: email && maskEmail(email), phone: phone && maskPhone(phone) };
}

function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const [first, second] = email.slice(0, at);
  // A local part of one letter would be shown as a whole.
  return `${second === undefined ? '' : first}${HIDDEN}${email.slice(at)}`;
}

function maskPhone(phone: string): string {
  return `${HIDDEN}${phone.slice(-SHOWN_DIGITS)}`;
}

/**
 * The letters by which a till recognises a customer without learning their name: of the first and
 * the last word of the name, else of the e-mail; `?` when there is neither.
 */
export function initialsOf(person: { name: string | null; email: string | null }): string {
  const words = (person.name ?? '').normalize('NFC').match(/[\p{L}\p{N}]\S*/gu) ?? [];
  const first = words.at(0) ?? person.email?.match(/[\p{L}\p{N}]/u)?.[0] ?? '?';
  const last = words.length > 1 ? words.at(-1) : undefined;
  return `${firstLetter(first)}${last === undefined ? '' : firstLetter(last)}`;
}

// Some letters are more than one code unit, and a few grow when upper-cased.
function firstLetter(word: string): string {
  const [letter = ''] = word;
  const [upper = ''] = letter.toUpperCase();
  return upper;
}
