import { z } from 'zod';
import { normaliseEmail } from './matching.ts';

/** The longest address that mail servers accept. */
const MAX_LENGTH = 254;
/** Characters with which a mail header would read another address, or a name, from the text. */
const SEPARATORS = /[<>,;:"()[\]\\]/;

/** The address in its usual form, or null when it is not exactly one deliverable address. */
export function mailAddress(text: string): string | null {
  const email = normaliseEmail(text);
  if (email === null || email.length > MAX_LENGTH || SEPARATORS.test(email)) return null;
  return email;
}

/** An e-mail address in a request, read in its usual form, which is lower case. */
export const MailAddress = z
  .string()
  .max(MAX_LENGTH)
  .transform((text, context) => {
    const address = mailAddress(text);
    if (address !== null) return address;
    context.addIssue('must be an e-mail address, such as ann@shop.example');
    return z.NEVER;
  })
  .meta({ override: { type: 'string', format: 'email', maxLength: MAX_LENGTH } });
