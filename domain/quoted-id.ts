import { z } from 'zod';
import { isWellFormed, normaliseCode } from './redemption.ts';

/** What a text may be that somebody quotes in a message; each that is not null is looked up. */
export type QuotedId = {
  /** An id of ours, of whatever it is. */
  rowId: string | null;
  /** A redemption code. */
  code: string | null;
  /** The id that a provider gave a payment. */
  paymentId: string | null;
  /** The correlation id of a request. */
  requestId: string | null;
};

const RowId = z.uuid();
/** Whatever has a digit and no white space: names, addresses and numbers of phones are no ids. */
const PAYMENT_ID = /^(?!\+)(?=.*\d)[^\s@]{4,}$/;
const REQUEST_ID = /^[\w.-]+$/;

/** Reads a text as each kind of id that it may be. Ids are exact, but for the case of a code. */
export function readQuotedId(text: string): QuotedId {
  const code = normaliseCode(text);
  return {
    rowId: RowId.safeParse(text).success ? text : null,
    code: isWellFormed(code) ? code : null,
    paymentId: PAYMENT_ID.test(text) ? text : null,
    requestId: REQUEST_ID.test(text) ? text : null,
  };
}
