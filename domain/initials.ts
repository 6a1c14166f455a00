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
