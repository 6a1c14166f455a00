import {
  type CountryCode,
  isSupportedCountry,
  parseIncompletePhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';

/** The form in which two e-mail addresses are compared: NFKC, trimmed, lower case; null if none. */
export function normaliseEmail(text: string | null | undefined): string | null {
  const email = (text ?? '').normalize('NFKC').trim().toLowerCase();
  return /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email) ? email : null;
}

/**
 * The spelling of a normalised e-mail whose domain is in ASCII. A domain with other letters has
 * two, and point-of-sale systems and identity providers choose either.
 */
export function inAscii(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  // What has a meaning of its own in an address of the web is in no domain.
  if (/^\p{ASCII}*$/u.test(domain) || /[/?#:\\%[\]]/.test(domain)) return email;
  const address = `http://${domain}`;
  return URL.canParse(address) ? email.slice(0, at) + new URL(address).hostname : email;
}

/**
 * Whether the form in which an address is compared names the mailbox that was written: they differ
 * in case and outer blanks at most. NFKC makes one of two mailboxes that look alike.
 */
export function isSameMailbox(text: string | null): boolean {
  const written = (text ?? '').trim();
  return written.normalize('NFKC') === written;
}

/**
 * The E.164 form of a phone number, or null when it is not a valid number. A number without a
 * country code is read as one of `country` (ISO 3166 alpha-2), and is null without a country.
 */
export function normalisePhone(
  text: string | null | undefined,
  country?: string | null,
): string | null {
  // The library throws and catches internally here, which costs as much as parsing a number.
  if (!text) return null;
  const number = parsePhoneNumberFromString(text, regionOf(country));
  return number?.isValid() ? number.number : null;
}

/**
 * The digits of a phone number that was written without a country code; null for one with a code,
 * and for none.
 */
export function nationalDigits(text: string | null): string | null {
  if (text === null || text.includes('+')) return null;
  return parseIncompletePhoneNumber(text) || null;
}

/** What is dialled before the code of another country: in most countries, and in North America. */
const DIALLED_ABROAD = ['00', '011'];

/** The digits by which a number in E.164 form may be written without a `+`, in some country. */
export function writtenForms(phone: string): string[] {
  const number = parsePhoneNumberFromString(phone);
  if (number === undefined) return [];
  const withCode = phone.slice(1);
  const forms = [
    number.nationalNumber,
    parseIncompletePhoneNumber(number.formatNational()),
    withCode,
    ...DIALLED_ABROAD.map((prefix) => prefix + withCode),
  ];
  return [...new Set(forms)];
}

function regionOf(country: string | null | undefined): CountryCode | undefined {
  const code = country?.toUpperCase();
  return code !== undefined && isSupportedCountry(code) ? code : undefined;
}

export type Match<Id> = {
  user: Id | null;
  /** `member`: somebody found the consumer by the member number and attached the sale. */
  by: 'email' | 'phone' | 'member' | null;
  /** The e-mail and the phone belong to two different people; the e-mail decided. */
  conflict: boolean;
};

/** Finds the consumer of a payment: by e-mail, else by phone. */
export function matchConsumer<Id>(byEmail: Id | null, byPhone: Id | null): Match<Id> {
  if (byEmail !== null) {
    return { user: byEmail, by: 'email', conflict: byPhone !== null && byPhone !== byEmail };
  }
  if (byPhone !== null) return { user: byPhone, by: 'phone', conflict: false };
  return { user: null, by: null, conflict: false };
}
