type Shop = { shop: string };
/** `points` includes the word; `worth` is in money, or null while the shop has no currency. */
type Points = { points: string; worth: string | null };

/** What mails say to customers. Names, numbers and times come in as they are to be shown. */
export const customerMails = {
  code: {
    subject: ({ shop }: Shop) => `Your code for ${shop}`,
    heading: ({ shop }: Shop) => `Your code for ${shop}:`,
    subjectOfMany: ({ shop, codes }: Shop & { codes: string }) => `Your ${codes} codes for ${shop}`,
    headingOfMany: ({ shop, codes }: Shop & { codes: string }) =>
      `You were given ${codes} codes for ${shop} within a minute:`,
    isFor: ({ reward, points }: Points & { reward: string }) =>
      `It is for “${reward}” (${points}).`,
    worth: ({ points, worth }: Points) =>
      worth === null ? `It is worth ${points}.` : `It is worth ${worth} (${points}).`,
    use: ({ until }: { until: string }) =>
      `Show it at the till. It can be used once, until ${until}.`,
    comesBack: ({ points }: { points: string }) =>
      `If you do not use it by then, it expires and you get your ${points} back.`,
    isLost: ({ points }: { points: string }) =>
      `If you do not use it by then, it expires and you lose its ${points}.`,
    link: 'See it in the app',
    stranger:
      'You did not ask for a code? Then somebody else is signed in as you: change your password.',
  },

  expiry: {
    subjectReturned: ({ shop, points, count }: Shop & { points: string; count: number }) =>
      `Your ${points} for ${shop} ${count === 1 ? 'is' : 'are'} back`,
    subjectLost: ({ shop }: Shop) => `Your code for ${shop} has expired`,
    expired: ({ shop, until }: Shop & { until: string }) =>
      `Your code for ${shop} was not used by ${until} and has expired.`,
    returned: ({ points, worth }: Points) =>
      `Its ${withWorth(points, worth)} went back to your wallet.`,
    lost: ({ points, worth }: Points) =>
      `Its ${withWorth(points, worth)} did not go back to your wallet: ` +
      'the points of unused codes are lost.',
  },

  expiring: {
    subject: ({ shop, points, count }: Shop & { points: string; count: number }) =>
      `${points} at ${shop} ${count === 1 ? 'expires' : 'expire'} soon`,
    expire: ({ shop, points, count, day }: Shop & { points: string; count: number; day: string }) =>
      `${points} at ${shop} ${count === 1 ? 'expires' : 'expire'} at the end of ${day}.`,
    use: 'Redeem them before then: what you use is taken from the points that expire first.',
    link: 'Open your wallet',
  },

  erasure: {
    account: 'Your account',
    subject: 'Your account will be erased',
    scheduled: ({ at }: { at: string }) =>
      `On ${at}, all that says who you are will be erased, and with it your points and codes at ` +
      'all shops. This cannot be undone.',
    withdraw:
      'Until then you can withdraw it: sign in, and keep your account. If you did not ask for ' +
      'it, do so now, and change your password.',
    link: 'Keep my account',
    withdrawnSubject: 'Your account stays',
    stays: 'Your account will not be erased: everything stays as it is, your points as well.',
    stranger: 'If you wanted it to be erased, sign in and ask for it again, or ask support.',
  },
};

function withWorth(points: string, worth: string | null): string {
  return worth === null ? points : `${points}, worth ${worth},`;
}
