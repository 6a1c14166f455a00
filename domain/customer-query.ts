import { inAscii, normaliseEmail, normalisePhone } from './matching.ts';
import { readMemberNumber } from './member-number.ts';
import { readQuotedId } from './quoted-id.ts';
import { decimalsOf } from './texts/wording.ts';

/** What a text may be that somebody searches a shop by; each that is not null is looked up. */
export type CustomerQuery = {
  /** As it is compared. */
  email: string | null;
  /** In E.164 form. */
  phone: string | null;
  memberNumber: string | null;
  /** A redemption code. */
  code: string | null;
  /** The id that a provider gave a payment. */
  paymentId: string | null;
  /** In minor units of the shop's currency, without a tip. */
  amount: number | null;
};

/** What a text was read as, in the order in which an answer says so. */
export const READ_AS = ['email', 'phone', 'memberNumber', 'code', 'paymentId', 'amount'] as const;

/**
 * Reads a text as each thing that it may be, all of them exactly: nobody is found by a part of a
 * contact. A phone without a country code is one of the shop's country, an amount one of its
 * currency, with a point or a comma before its decimals.
 */
export function readCustomerQuery(
  text: string,
  { country, currency }: { country: string | null; currency: string | null },
): CustomerQuery {
  const email = normaliseEmail(text);
  const { code, paymentId } = readQuotedId(text.trim());
  return {
    email: email && inAscii(email),
    phone: email === null ? normalisePhone(text, country) : null,
    memberNumber: readMemberNumber(text) ?? null,
    code,
    paymentId,
    amount: readAmount(text, currency),
  };
}

/** What of a query may be guessed: whoever looks up many that are unknown is slowed down. */
export function isGuessable({ email, phone, memberNumber, code }: CustomerQuery): boolean {
  return [email, phone, memberNumber, code].some((each) => each !== null);
}

const AMOUNT = /^(\d{1,9})(?:[.,](\d{1,3}))?$/;

function readAmount(text: string, currency: string | null): number | null {
  if (currency === null) return null;
  const [, whole = '', decimals = ''] = AMOUNT.exec(text.replace(/[\s\p{Sc}]/gu, '')) ?? [];
  const places = decimalsOf(currency);
  if (whole === '' || decimals.length > places) return null;
  return Number(whole + decimals.padEnd(places, '0'));
}
