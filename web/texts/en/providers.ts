/** What the portal says of points of sale. */
export const providerTexts = {
  list: 'Points of sale',
  connect: (provider: string) => `Connect ${provider}`,
  leaving: 'To connect one you are sent to it, to sign in and allow it there.',
  never: (provider: string) => `Connect ${provider}, and what you sell there earns points.`,
  connected: (provider: string) => `${provider} is connected.`,
  goOn: 'Go on',
  isAccount: (provider: string, account: string) => `${provider} is connected: ${account}.`,
  lost: (since: string) => `It has not let us in since ${since}: its sales earn nothing.`,
  account: 'Account',
  unread: 'not known yet',
  lastSale: 'Last sale',
  noSale: 'none lately',
  disconnect: 'Disconnect',
  disconnectThis: (provider: string) => `Disconnect ${provider}`,
  disconnectTitle: (name: string) => `Disconnect ${name}?`,
  disconnectWhat: (provider: string) => `Sales at ${provider} earn no more points.`,
  goesOn: (other: string) => `Sales at ${other} go on earning.`,
  noOther: 'No other point of sale is connected.',
  stays:
    'Points that were earned stay, and codes can still be used. You can connect it again at ' +
    'any time.',
  failed: (label: string | undefined, at: string) =>
    `${label ?? 'It'} was not connected, at ${at}.`,
  otherCurrency: {
    what: (label: string, account: string, shop: string) =>
      `Your account at ${label} sells in ${account}, and your shop in ${shop}. Points are ` +
      'worth money of one currency, so the two do not go together.',
    account: (label: string, shop: string) =>
      `If you have another account that sells in ${shop}: sign out at ${label} first, or it ` +
      'answers with the same account again. Then connect it.',
    shop: (account: string) =>
      `If your shop sells in ${account}: we can change that. Ask support, and name your shop.`,
    another: 'another currency',
  },
  errors: {
    access_denied: 'You did not allow it at the point of sale.',
    invalid_state:
      'This way back from the point of sale does not belong to this browser. Start again.',
    expired_state: 'It took more than ten minutes. Start again.',
    exchange_failed: 'The point of sale did not answer as it should. Try again in a few minutes.',
    merchant_mismatch: 'It is another account than the one that was connected before.',
    merchant_taken: 'This account is connected to another shop.',
    currency_mismatch: 'This account has another currency than your shop.',
    not_allowed: 'You may not connect it any more.',
  } satisfies Record<string, string>,
} as const;
