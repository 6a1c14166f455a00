import { z } from 'zod';
import { normaliseEmail } from './matching.ts';

/** The longest address that a mail server takes. */
const MAX_LENGTH = 254;
/** Where a mail header stops reading one address and begins with another, or with a name. */
const SEPARATORS = /[<>,;:"()[\]\\]/;

/** The address in its usual form, or null when a mail cannot be sent to it and to nobody else. */
export function mailAddress(text: string): string | null {
  const email = normaliseEmail(text);
  if (email === null || email.length > MAX_LENGTH || SEPARATORS.test(email)) return null;
  return email;
}

/** An e-mail address that a caller sends; it is read in its usual form, which is lower case. */
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
