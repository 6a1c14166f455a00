import { Refusal } from './errors.ts';
import { type ClosedCode, type RedemptionStatus, refusalOfClosed } from './redemption.ts';

/** How often the mail of a code may be sent again. */
export const MOST_RESENT = 3;

/** A code as it is now, and what became of its mail. */
export type MailedCode = ClosedCode & {
  status: RedemptionStatus;
  /** Whether its mail was sent, or cannot be. */
  isMailed: boolean;
  isMailedLately: boolean;
  /** How often it was sent again. */
  resent: number;
  /** Whether its owner has a verified address now. */
  hasAddress: boolean;
};

/**
 * Throws RULE_REJECTED when the mail of a code may not be sent again: it is closed, was not mailed
 * yet, within the last minute or often enough, or there is no address.
 */
export function requireResendable({ isMailed, isMailedLately, resent, ...code }: MailedCode): void {
  if (code.status !== 'issued') throw refusalOfClosed(code, 'Ask the customer for a new one.');
  if (!code.hasAddress) {
    const message = 'The customer has no verified address. The code is in their app.';
    throw new Refusal('RULE_REJECTED', message, 'no_verified_email');
  }
  if (!isMailed) {
    const message = 'The mail is still on its way. The code is in the app of the customer, too.';
    throw new Refusal('RULE_REJECTED', message, 'mail_underway');
  }
  if (resent >= MOST_RESENT) {
    const message = `The code was sent ${MOST_RESENT} times again. It is in the customer's app.`;
    throw new Refusal('RULE_REJECTED', message, 'mailed_often');
  }
  if (!isMailedLately) return;
  const message = 'The code was mailed within the last minute. Wait a little, and look for spam.';
  throw new Refusal('RULE_REJECTED', message, 'mailed_lately');
}
