export type MailText = { subject: string; text: string };

/** The mail with a code for its owner. The subject, which lock screens show, omits the code. */
export function codeMail(redemption: {
  code: string;
  tenantName: string;
  points: number;
  expiresAt: Date;
}): MailText {
  const { code, points, expiresAt } = redemption;
  const shop = oneLine(redemption.tenantName);
  return {
    subject: `Your redemption code for ${shop}`,
    text: [
      `Your code for ${shop}: ${code}`,
      '',
      `It is worth ${points} points, can be used once, and expires at ${moment(expiresAt)}.`,
      'Show it at the till. If you do not use it in time, this code cannot be used any more.',
      '',
      'You did not ask for a code? Then somebody is signed in as you: change your password.',
      '',
    ].join('\n'),
  };
}

/** The mail about a code that expired unused, and whether its points came back. */
export function expiryMail(redemption: {
  tenantName: string;
  points: number;
  expiresAt: Date;
  pointsReturned: boolean;
}): MailText {
  const { points, expiresAt, pointsReturned } = redemption;
  const shop = oneLine(redemption.tenantName);
  return {
    subject: pointsReturned
      ? `Your ${points} points for ${shop} are back`
      : `Your redemption code for ${shop} has expired`,
    text: [
      `Your redemption code for ${shop} was not used by ${moment(expiresAt)} and has expired.`,
      pointsReturned
        ? `Its ${points} points are back in your wallet.`
        : `Its ${points} points are not returned to your wallet.`,
      '',
    ].join('\n'),
  };
}

/** A shop's name is free text of its merchant: it must not start a new line in a mail. */
function oneLine(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

function moment(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
