import { inAscii } from '../../domain/matching.ts';

// Users and invites keep an e-mail as it was written, to be shown, and are compared by the spelling
// of its domain in ASCII.

/** An expression for the spelling by which a row of users or invites is compared. */
export const comparedEmail = (row: string) => `coalesce(${row}.ascii_email, ${row}.email)`;

/** The spelling by which an e-mail is compared, if it is another one: for `ascii_email`. */
export function otherSpellingOf(email: string | null): string | null {
  const ascii = email === null ? null : inAscii(email);
  return ascii === email ? null : ascii;
}
