import type { Language } from './language.ts';

/** What a verified access token says of its bearer; contacts are normalised. */
export type Claims = {
  iss: string;
  sub: string;
  email: string | null;
  emailVerified: boolean;
  /** E.164. */
  phone: string | null;
  phoneVerified: boolean;
  name: string | null;
  /** Of somebody who signs in for the first time, as far as it can be told. */
  language?: Language | null | undefined;
  /** When the token was issued, with the contacts of that time; absent if it does not say so. */
  contactsIssuedAt?: Date | undefined;
  /** Whether the identity provider itself, not the person, marks the bearer as a merchant. */
  clientIntent: boolean;
};
