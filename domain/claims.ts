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
  /** When the token was issued, with the contacts of that time; absent if it does not say so. */
  contactsIssuedAt?: Date | undefined;
  /** Whether the identity provider itself, not the person, marks the bearer as a merchant. */
  clientIntent: boolean;
};
